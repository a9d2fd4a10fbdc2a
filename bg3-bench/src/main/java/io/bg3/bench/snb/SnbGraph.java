package io.bg3.bench.snb;

import io.bg3.bench.snb.SnbSizes.Kind;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * A social network of the shape of LDBC's SNB: places, organisations, tags, persons who know each
 * other, forums, posts, comments and likes. It has LDBC's labels, keys and directions of edges; the
 * texts are made up, and activity follows a Pareto law. A function of the number of persons and a
 * seed.
 *
 * <p>Everybody knows somebody who joined earlier, so all persons are connected.
 *
 * <p>Threads: belongs to one.
 */
final class SnbGraph {
  static final long FIRST_DATE = Instant.parse("2010-01-01T00:00:00Z").toEpochMilli();
  static final long LAST_DATE = Instant.parse("2013-01-01T00:00:00Z").toEpochMilli();
  static final int FIRST_NAMES = 60;

  /** The purpose of the draws of friends, apart from the kinds of vertices. */
  private static final int FRIENDS = 50;

  private static final int LAST_NAMES = 200;
  private static final int YEARS_OF_BIRTH = 11;
  private static final int FIRST_YEAR_OF_BIRTH = 1980;
  private static final int FIRST_YEAR_OF_WORK = 1998;
  private static final int YEARS_OF_WORK = 15;
  private static final int MOST_INTERESTS = 20;
  private static final int MOST_FRIENDS = 200;
  private static final int NEAR = 40;
  private static final int MOST_MEMBERS = 60;
  private static final int POSTS_A_FORUM = 10;
  private static final int MOST_POSTS = 400;
  private static final int MOST_TAGS = 4;
  private static final int MOST_REPLIES = 30;
  private static final int MOST_LIKES = 20;
  private static final String[] BROWSERS = {"Firefox", "Chrome", "Safari", "Opera"};
  private static final String[] SYLLABLES = {"an", "ber", "chi", "do", "el", "fa", "gri", "ho"};
  private static final String[] WORDS = {
    "about",
    "because",
    "between",
    "graph",
    "night",
    "people",
    "photo",
    "question",
    "river",
    "song",
    "summer",
    "think",
    "tomorrow",
    "travel",
    "window",
    "yes"
  };

  private final SnbSizes sizes;
  private final long seed;
  private final SnbWriter to;

  SnbGraph(int persons, long seed, SnbWriter to) {
    this.sizes = new SnbSizes(persons);
    this.seed = seed;
    this.to = to;
  }

  /** Adds everything. */
  void load() {
    places();
    tags();
    for (int i = 0; i < sizes.persons(); i++) {
      person(i);
    }
    for (int i = 1; i < sizes.persons(); i++) {
      friends(i);
    }
    for (int i = 0; i < sizes.forums(); i++) {
      forum(i);
    }
    to.commit();
  }

  private SnbDraws draws(Kind kind, long of) {
    return new SnbDraws(seed, kind.code(), of);
  }

  /** The name of a country, and of everything else that is named by a number. */
  static String name(String kind, int number) {
    return kind + " " + number;
  }

  private void places() {
    for (int i = 0; i < SnbSizes.CONTINENTS; i++) {
      to.add(Kind.CONTINENT, Snb.PLACE, Snb.NAME, name("continent", i));
    }
    for (int i = 0; i < SnbSizes.COUNTRIES; i++) {
      Vertex country = to.add(Kind.COUNTRY, Snb.PLACE, Snb.NAME, name("country", i));
      to.edge(country, Snb.IS_PART_OF, to.vertex(Kind.CONTINENT, i % SnbSizes.CONTINENTS));
    }
    for (int i = 0; i < SnbSizes.CITIES; i++) {
      Vertex city = to.add(Kind.CITY, Snb.PLACE, Snb.NAME, name("city", i));
      to.edge(city, Snb.IS_PART_OF, to.vertex(Kind.COUNTRY, i / SnbSizes.CITIES_A_COUNTRY));
      Vertex university = to.add(Kind.UNIVERSITY, Snb.UNIVERSITY, Snb.NAME, name("university", i));
      to.edge(university, Snb.IS_LOCATED_IN, city);
    }
    for (int i = 0; i < SnbSizes.COMPANIES; i++) {
      Vertex company = to.add(Kind.COMPANY, Snb.COMPANY, Snb.NAME, name("company", i));
      to.edge(
          company, Snb.IS_LOCATED_IN, to.vertex(Kind.COUNTRY, i / SnbSizes.COMPANIES_A_COUNTRY));
    }
  }

  private void tags() {
    for (int i = 0; i < SnbSizes.TAG_CLASSES; i++) {
      Vertex tagClass = to.add(Kind.TAG_CLASS, Snb.TAG_CLASS, Snb.NAME, name("class", i));
      if (i > 0) {
        to.edge(tagClass, Snb.IS_SUBCLASS_OF, to.vertex(Kind.TAG_CLASS, (i - 1) / 3));
      }
    }
    for (int i = 0; i < sizes.tags(); i++) {
      Vertex tag = to.add(Kind.TAG, Snb.TAG, Snb.NAME, name("tag", i));
      int of = draws(Kind.TAG, i).below(SnbSizes.TAG_CLASSES);
      to.edge(tag, Snb.HAS_TYPE, to.vertex(Kind.TAG_CLASS, of));
    }
  }

  private void person(int number) {
    SnbDraws draws = draws(Kind.PERSON, number);
    int city = draws.skewed(SnbSizes.CITIES);
    LocalDate born =
        LocalDate.ofYearDay(
            FIRST_YEAR_OF_BIRTH + draws.below(YEARS_OF_BIRTH), 1 + draws.below(365));
    Vertex person =
        to.add(
            Kind.PERSON,
            Snb.PERSON,
            Snb.FIRST_NAME,
            firstName(draws.skewed(FIRST_NAMES)),
            Snb.LAST_NAME,
            syllables(draws.skewed(LAST_NAMES)) + "son",
            Snb.GENDER,
            draws.percent(50) ? "female" : "male",
            Snb.BIRTHDAY,
            born.toString(),
            Snb.MONTH_DAY,
            born.getMonthValue() * 100 + born.getDayOfMonth(),
            Snb.CREATION_DATE,
            joined(number),
            Snb.LOCATION_IP,
            "10.0." + city + "." + draws.below(256),
            Snb.BROWSER,
            BROWSERS[draws.skewed(BROWSERS.length)]);
    to.edge(person, Snb.IS_LOCATED_IN, to.vertex(Kind.CITY, city));
    for (int tag : distinct(draws, draws.pareto(2, MOST_INTERESTS), sizes.tags())) {
      to.edge(person, Snb.HAS_INTEREST, to.vertex(Kind.TAG, tag));
    }
    if (draws.percent(80)) {
      Vertex university = to.vertex(Kind.UNIVERSITY, draws.below(SnbSizes.CITIES));
      to.edge(person, Snb.STUDY_AT, university, Snb.CLASS_YEAR, 2000 + draws.below(YEARS_OF_BIRTH));
    }
    for (int company : distinct(draws, draws.below(3), SnbSizes.COMPANIES)) {
      int since = FIRST_YEAR_OF_WORK + draws.below(YEARS_OF_WORK);
      to.edge(person, Snb.WORK_AT, to.vertex(Kind.COMPANY, company), Snb.WORK_FROM, since);
    }
  }

  /** When a person joined: those with higher numbers later, within the first year. */
  private long joined(int number) {
    long year = (LAST_DATE - FIRST_DATE) / 3;
    return FIRST_DATE + year * number / sizes.persons();
  }

  static String firstName(int number) {
    return syllables(number) + "a";
  }

  private static String syllables(int number) {
    String name =
        SYLLABLES[number % SYLLABLES.length]
            + SYLLABLES[number / SYLLABLES.length % SYLLABLES.length]
            + (number < SYLLABLES.length * SYLLABLES.length ? "" : "o");
    return name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  /** The friends of a person among those who joined earlier: most of them near, some anywhere. */
  private void friends(int number) {
    SnbDraws draws = new SnbDraws(seed, FRIENDS, number);
    int count = Math.min(number, draws.pareto(4, MOST_FRIENDS));
    Set<Integer> friends = new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      boolean near = number > NEAR && draws.percent(70);
      friends.add(near ? number - 1 - draws.below(NEAR) : draws.below(number));
    }
    Vertex person = to.vertex(Kind.PERSON, number);
    for (int friend : friends) {
      long since = draws.between(joined(number), LAST_DATE);
      to.edge(person, Snb.KNOWS, to.vertex(Kind.PERSON, friend), Snb.CREATION_DATE, since);
    }
  }

  private void forum(int number) {
    SnbDraws draws = draws(Kind.FORUM, number);
    int owner = number / SnbSizes.FORUMS_A_PERSON;
    long created = draws.between(joined(owner), LAST_DATE - (LAST_DATE - FIRST_DATE) / 3);
    String title = (number % SnbSizes.FORUMS_A_PERSON == 0 ? "wall of " : "group of ") + owner;
    Vertex forum =
        to.add(Kind.FORUM, Snb.FORUM, Snb.TITLE, title + ", " + number, Snb.CREATION_DATE, created);
    Vertex moderator = to.vertex(Kind.PERSON, owner);
    to.edge(forum, Snb.HAS_MODERATOR, moderator);
    List<Integer> tags = distinct(draws, draws.pareto(1, MOST_TAGS), sizes.tags());
    tags.forEach(tag -> to.edge(forum, Snb.HAS_TAG, to.vertex(Kind.TAG, tag)));
    int most = Math.min(MOST_MEMBERS, sizes.persons() - 1);
    List<Integer> members = new ArrayList<>();
    for (int member : distinct(draws, draws.pareto(6, most), sizes.persons())) {
      long joined = draws.between(Math.max(created, joined(member)), LAST_DATE);
      to.edge(forum, Snb.HAS_MEMBER, to.vertex(Kind.PERSON, member), Snb.JOIN_DATE, joined);
      members.add(member);
    }
    members.add(owner);
    int posts = draws.pareto(POSTS_A_FORUM, MOST_POSTS);
    for (int i = 0; i < posts; i++) {
      post(forum, draws, created, members, tags);
    }
  }

  private void post(
      Vertex forum, SnbDraws draws, long after, List<Integer> members, List<Integer> tags) {
    int author = members.get(draws.below(members.size()));
    long date = draws.between(after, LAST_DATE);
    Vertex post = message(Kind.POST, Snb.POST, draws, author, date);
    to.edge(forum, Snb.CONTAINER_OF, post);
    for (int tag : tags) {
      to.edge(post, Snb.HAS_TAG, to.vertex(Kind.TAG, tag));
    }
    List<Vertex> thread = new ArrayList<>(List.of(post));
    likes(post, date, draws, members);
    long last = date;
    int replies = draws.percent(60) ? 0 : draws.pareto(1, MOST_REPLIES);
    for (int i = 0; i < replies && last < LAST_DATE - 1; i++) {
      last = draws.between(last + 1, Math.min(LAST_DATE, last + (LAST_DATE - FIRST_DATE) / 100));
      int replier = members.get(draws.below(members.size()));
      Vertex comment = message(Kind.COMMENT, Snb.COMMENT, draws, replier, last);
      to.edge(comment, Snb.REPLY_OF, thread.get(draws.below(thread.size())));
      if (draws.percent(40)) {
        to.edge(comment, Snb.HAS_TAG, to.vertex(Kind.TAG, draws.skewed(sizes.tags())));
      }
      thread.add(comment);
      likes(comment, last, draws, members);
    }
  }

  private Vertex message(Kind kind, String label, SnbDraws draws, int author, long date) {
    Vertex message =
        to.add(
            kind,
            label,
            Snb.CONTENT,
            content(draws),
            Snb.CREATION_DATE,
            date,
            Snb.BROWSER,
            BROWSERS[draws.skewed(BROWSERS.length)]);
    to.edge(message, Snb.HAS_CREATOR, to.vertex(Kind.PERSON, author));
    int country = draws.skewed(SnbSizes.COUNTRIES);
    to.edge(message, Snb.IS_LOCATED_IN, to.vertex(Kind.COUNTRY, country));
    return message;
  }

  private static String content(SnbDraws draws) {
    List<String> words = new ArrayList<>();
    int count = draws.pareto(3, 40);
    for (int i = 0; i < count; i++) {
      words.add(WORDS[draws.below(WORDS.length)]);
    }
    return String.join(" ", words);
  }

  private void likes(Vertex message, long date, SnbDraws draws, List<Integer> members) {
    if (draws.percent(50)) {
      return;
    }
    int count = Math.min(members.size(), draws.pareto(1, MOST_LIKES));
    for (int liker : distinct(draws, count, members.size())) {
      Vertex person = to.vertex(Kind.PERSON, members.get(liker));
      to.edge(person, Snb.LIKES, message, Snb.CREATION_DATE, draws.between(date, LAST_DATE));
    }
  }

  /** Different numbers below a bound, small ones more often; fewer where many were drawn twice. */
  private static List<Integer> distinct(SnbDraws draws, int count, int bound) {
    Set<Integer> drawn = new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      drawn.add(draws.skewed(bound));
    }
    return List.copyOf(drawn);
  }
}
