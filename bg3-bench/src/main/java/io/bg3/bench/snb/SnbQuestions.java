package io.bg3.bench.snb;

import io.bg3.bench.snb.SnbSizes.Kind;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;

/** The subjects of the queries, drawn from the seed: the {@code n}th question has its own. */
final class SnbQuestions {
  private static final int DRAWS = 100; // apart from the kinds of the graph
  private static final long MONTH = TimeUnit.DAYS.toMillis(30);

  private final GraphTraversalSource g;
  private final SnbSizes sizes;
  private final long seed;
  private final int posts;
  private final int comments;

  SnbQuestions(GraphTraversalSource g, int persons, long seed, SnbWriter loaded) {
    this.g = g;
    this.sizes = new SnbSizes(persons);
    this.seed = seed;
    this.posts = loaded.count(Kind.POST);
    this.comments = loaded.count(Kind.COMMENT);
  }

  GraphTraversalSource g() {
    return g;
  }

  private SnbDraws draws(int what, long n) {
    return new SnbDraws(seed, DRAWS + what, n);
  }

  long person(long n) {
    return Kind.PERSON.id(draws(0, n).below(sizes.persons()));
  }

  /** A person who is not {@link #person}. */
  long otherPerson(long n) {
    int number = draws(1, n).below(sizes.persons());
    long other = Kind.PERSON.id(number);
    return other == person(n) ? Kind.PERSON.id((number + 1) % sizes.persons()) : other;
  }

  /** A post or a comment. */
  long message(long n) {
    int number = draws(2, n).below(posts + comments);
    return number < posts ? Kind.POST.id(number) : Kind.COMMENT.id(number - posts);
  }

  String firstName(long n) {
    return SnbGraph.firstName(draws(3, n).skewed(SnbGraph.FIRST_NAMES));
  }

  String country(long n) {
    return SnbGraph.name("country", draws(4, n).skewed(SnbSizes.COUNTRIES));
  }

  long countryX(long n) {
    return Kind.COUNTRY.id(draws(5, n).skewed(SnbSizes.COUNTRIES / 2));
  }

  long countryY(long n) {
    return Kind.COUNTRY.id(SnbSizes.COUNTRIES / 2 + draws(6, n).skewed(SnbSizes.COUNTRIES / 2));
  }

  String tag(long n) {
    return SnbGraph.name("tag", draws(7, n).skewed(sizes.tags()));
  }

  String tagClass(long n) {
    return SnbGraph.name("class", draws(8, n).below(SnbSizes.TAG_CLASSES / 4));
  }

  /** A date in the last two thirds of the time. */
  long date(long n) {
    long third = (SnbGraph.LAST_DATE - SnbGraph.FIRST_DATE) / 3;
    return draws(9, n).between(SnbGraph.FIRST_DATE + third, SnbGraph.LAST_DATE - 4 * MONTH);
  }

  /** The end of some months that begin with {@link #date}. */
  long until(long n) {
    return date(n) + 4 * MONTH;
  }

  /** A month, from 1. */
  int month(long n) {
    return 1 + draws(10, n).below(12);
  }

  int workFrom(long n) {
    return 2003 + draws(11, n).below(10);
  }
}
