package io.bg3.bench.snb;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The reads of LDBC's SNB, by their names there. */
public enum SnbQuery {
  /** The profile of a person. */
  IS1,
  /** The newest messages of a person. */
  IS2,
  /** The friends of a person. */
  IS3,
  /** The content of a message. */
  IS4,
  /** The author of a message. */
  IS5,
  /** The forum of a message. */
  IS6,
  /** The replies to a message. */
  IS7,
  /** Persons with a first name. */
  IC1,
  /** The newest messages of friends. */
  IC2,
  /** Persons nearby who were in two countries. */
  IC3,
  /** New tags of friends. */
  IC4,
  /** New groups of persons nearby. */
  IC5,
  /** Tags beside a tag. */
  IC6,
  /** The newest likes. */
  IC7,
  /** The newest replies. */
  IC8,
  /** The newest messages of persons nearby. */
  IC9,
  /** Friends who are recommended. */
  IC10,
  /** Persons nearby who work in a country. */
  IC11,
  /** Friends who are experts. */
  IC12,
  /** The distance of two persons. */
  IC13,
  /** The shortest paths between two persons. */
  IC14;

  /** The name in tables. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The queries with these names, all if there are none.
   *
   * @throws IllegalArgumentException if there is no such query
   */
  public static List<SnbQuery> of(List<String> names) {
    List<String> known = Arrays.stream(values()).map(SnbQuery::text).toList();
    for (String name : names) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            "no such query: query=" + name + ", known=" + String.join(", ", known));
      }
    }
    return Arrays.stream(values())
        .filter(query -> names.isEmpty() || names.contains(query.text()))
        .toList();
  }

  /** Asks the {@code n}th question. */
  List<?> ask(SnbQuestions q, long n) {
    return switch (this) {
      case IS1 -> ShortReads.profile(q.g(), q.person(n));
      case IS2 -> ShortReads.newestMessages(q.g(), q.person(n));
      case IS3 -> ShortReads.friends(q.g(), q.person(n));
      case IS4 -> ShortReads.content(q.g(), q.message(n));
      case IS5 -> ShortReads.author(q.g(), q.message(n));
      case IS6 -> ShortReads.forum(q.g(), q.message(n));
      case IS7 -> ShortReads.replies(q.g(), q.message(n));
      case IC1 -> ComplexReads.withFirstName(q.g(), q.person(n), q.firstName(n));
      case IC2 -> ComplexReads.newestOfFriends(q.g(), q.person(n), q.date(n));
      case IC3 ->
          ComplexReads.fromTwoCountries(
              q.g(), q.person(n), q.countryX(n), q.countryY(n), q.date(n), q.until(n));
      case IC4 -> ComplexReads.newTags(q.g(), q.person(n), q.date(n), q.until(n));
      case IC5 -> ComplexReads.newGroups(q.g(), q.person(n), q.date(n));
      case IC6 -> ComplexReads.tagsBeside(q.g(), q.person(n), q.tag(n));
      case IC7 -> ComplexReads.newestLikes(q.g(), q.person(n));
      case IC8 -> ComplexReads.newestReplies(q.g(), q.person(n));
      case IC9 -> ComplexReads.newestNearby(q.g(), q.person(n), q.date(n));
      case IC10 -> ComplexReads.recommended(q.g(), q.person(n), q.month(n));
      case IC11 -> ComplexReads.workingIn(q.g(), q.person(n), q.country(n), q.workFrom(n));
      case IC12 -> ComplexReads.experts(q.g(), q.person(n), q.tagClass(n));
      case IC13 -> PathReads.distance(q.g(), q.person(n), q.otherPerson(n));
      case IC14 -> PathReads.weightedPaths(q.g(), q.person(n), q.otherPerson(n));
    };
  }
}
