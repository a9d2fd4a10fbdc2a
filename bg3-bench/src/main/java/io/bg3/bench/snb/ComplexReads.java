package io.bg3.bench.snb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Column;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * The interactive complex reads of LDBC's SNB whose answers are persons, messages, tags or forums;
 * {@link PathReads} has those about paths. Every order ends with something that is unique, so that
 * systems with equal data give equal answers.
 */
final class ComplexReads {
  private static final int TWENTY = 20;
  private static final int TEN = 10;

  /**
   * The birthdays of IC10 begin with this day of the month, and end before the next of the next.
   */
  private static final int FIRST_DAY = 21;

  private ComplexReads() {}

  /** IC1: the persons with a first name, at most three friendships away, the nearest first. */
  static List<?> withFirstName(GraphTraversalSource g, long person, String name) {
    List<Object> found = new ArrayList<>();
    List<List<Object>> levels = Friends.byDistance(g, person, 3, null);
    for (int distance = 1; distance < levels.size() && found.size() < TWENTY; distance++) {
      found.add("distance " + distance);
      found.addAll(
          g.V(levels.get(distance).toArray())
              .has(Snb.PERSON, Snb.FIRST_NAME, name)
              .order()
              .by(Snb.LAST_NAME)
              .by(T.id)
              .limit(TWENTY)
              .project("id", "last", "birthday", "city", "universities", "companies")
              .by(T.id)
              .by(Snb.LAST_NAME)
              .by(Snb.BIRTHDAY)
              .by(__.out(Snb.IS_LOCATED_IN).values(Snb.NAME))
              .by(__.out(Snb.STUDY_AT).values(Snb.NAME).order().fold())
              .by(__.out(Snb.WORK_AT).values(Snb.NAME).order().fold())
              .toList());
    }
    return found;
  }

  /** IC2: the newest messages of a person's friends up to a date. */
  static List<?> newestOfFriends(GraphTraversalSource g, long person, long date) {
    return newestBefore(g.V(person).both(Snb.KNOWS), P.lte(date));
  }

  /** IC9: the newest messages of a person's friends, and of their friends, before a date. */
  static List<?> newestNearby(GraphTraversalSource g, long person, long date) {
    return newestBefore(Friends.nearby(g, person), P.lt(date));
  }

  private static List<?> newestBefore(GraphTraversal<?, Vertex> authors, P<Long> date) {
    return authors
        .in(Snb.HAS_CREATOR)
        .has(Snb.CREATION_DATE, date)
        .order()
        .by(Snb.CREATION_DATE, Order.desc)
        .by(T.id)
        .limit(TWENTY)
        .project("id", "content", "date", "author", "first", "last")
        .by(T.id)
        .by(Snb.CONTENT)
        .by(Snb.CREATION_DATE)
        .by(__.out(Snb.HAS_CREATOR).id())
        .by(__.out(Snb.HAS_CREATOR).values(Snb.FIRST_NAME))
        .by(__.out(Snb.HAS_CREATOR).values(Snb.LAST_NAME))
        .toList();
  }

  /** IC3: persons nearby who wrote from two countries in a time and live in neither. */
  static List<?> fromTwoCountries(
      GraphTraversalSource g, long person, long countryX, long countryY, long from, long until) {
    return Friends.nearby(g, person)
        .not(__.out(Snb.IS_LOCATED_IN).out(Snb.IS_PART_OF).has(T.id, P.within(countryX, countryY)))
        .project("id", "x", "y")
        .by(T.id)
        .by(writtenFrom(countryX, from, until))
        .by(writtenFrom(countryY, from, until))
        .where(__.select("x").is(P.gt(0L)))
        .where(__.select("y").is(P.gt(0L)))
        .order()
        .by(__.select("x"), Order.desc)
        .by(__.select("id"))
        .limit(TWENTY)
        .toList();
  }

  private static GraphTraversal<?, Long> writtenFrom(long country, long from, long until) {
    return __.in(Snb.HAS_CREATOR)
        .has(Snb.CREATION_DATE, P.between(from, until))
        .where(__.out(Snb.IS_LOCATED_IN).hasId(country))
        .count();
  }

  /** IC4: the tags that the friends of a person used in a time and not before. */
  static List<?> newTags(GraphTraversalSource g, long person, long from, long until) {
    List<Object> old =
        posts(g.V(person).both(Snb.KNOWS))
            .has(Snb.CREATION_DATE, P.lt(from))
            .out(Snb.HAS_TAG)
            .dedup()
            .id()
            .toList();
    return counted(
        posts(g.V(person).both(Snb.KNOWS))
            .has(Snb.CREATION_DATE, P.between(from, until))
            .out(Snb.HAS_TAG)
            .has(T.id, P.without(old)));
  }

  private static GraphTraversal<?, Vertex> posts(GraphTraversal<?, Vertex> authors) {
    return authors.in(Snb.HAS_CREATOR).hasLabel(Snb.POST);
  }

  /** The names that come up most, with their numbers. */
  private static List<?> counted(GraphTraversal<?, Vertex> named) {
    return named
        .groupCount()
        .by(Snb.NAME)
        .unfold()
        .order()
        .by(Column.values, Order.desc)
        .by(Column.keys)
        .limit(TEN)
        .toList();
  }

  /** IC5: the forums that persons nearby joined after a date, by the posts of these persons. */
  static List<?> newGroups(GraphTraversalSource g, long person, long date) {
    List<Object> nearby = Friends.nearby(g, person).id().toList();
    return g.V(nearby.toArray())
        .inE(Snb.HAS_MEMBER)
        .has(Snb.JOIN_DATE, P.gt(date))
        .outV()
        .dedup()
        .project("id", "title", "posts")
        .by(T.id)
        .by(Snb.TITLE)
        .by(
            __.out(Snb.CONTAINER_OF)
                .where(__.out(Snb.HAS_CREATOR).has(T.id, P.within(nearby)))
                .count())
        .order()
        .by(__.select("posts"), Order.desc)
        .by(__.select("id"))
        .limit(TWENTY)
        .toList();
  }

  /** IC6: the tags that posts of persons nearby have beside a tag. */
  static List<?> tagsBeside(GraphTraversalSource g, long person, String tag) {
    return counted(
        posts(Friends.nearby(g, person))
            .where(__.out(Snb.HAS_TAG).has(Snb.NAME, tag))
            .out(Snb.HAS_TAG)
            .has(Snb.NAME, P.neq(tag)));
  }

  /**
   * IC7: the newest like of each person who likes messages of a person, and whether they are no
   * friends. It groups, because TinkerPop may deduplicate before it orders.
   */
  static List<?> newestLikes(GraphTraversalSource g, long person) {
    List<Object> friends = g.V(person).both(Snb.KNOWS).id().toList();
    return g.V(person)
        .in(Snb.HAS_CREATOR)
        .inE(Snb.LIKES)
        .group()
        .by(__.outV().id())
        .by(
            __.order()
                .by(Snb.CREATION_DATE, Order.desc)
                .by(__.inV().id())
                .limit(1)
                .project("date", "message")
                .by(Snb.CREATION_DATE)
                .by(__.inV().id())
                .fold())
        .unfold()
        .order()
        .by(__.select(Column.values).unfold().select("date"), Order.desc)
        .by(Column.keys)
        .limit(TWENTY)
        .project("liker", "like", "new")
        .by(Column.keys)
        .by(Column.values)
        .by(
            __.choose(
                __.select(Column.keys).is(P.within(friends)),
                __.constant(false),
                __.constant(true)))
        .toList();
  }

  /** IC8: the newest replies to the messages of a person. */
  static List<?> newestReplies(GraphTraversalSource g, long person) {
    return g.V(person)
        .in(Snb.HAS_CREATOR)
        .in(Snb.REPLY_OF)
        .order()
        .by(Snb.CREATION_DATE, Order.desc)
        .by(T.id)
        .limit(TWENTY)
        .project("author", "date", "id", "content")
        .by(__.out(Snb.HAS_CREATOR).id())
        .by(Snb.CREATION_DATE)
        .by(T.id)
        .by(Snb.CONTENT)
        .toList();
  }

  /** IC10: friends of friends with a birthday in a month, by how their posts match interests. */
  static List<?> recommended(GraphTraversalSource g, long person, int month) {
    List<Object> interests = g.V(person).out(Snb.HAS_INTEREST).id().toList();
    List<Object> friends = g.V(person).both(Snb.KNOWS).id().toList();
    int next = month % 12 + 1;
    return g.V(person)
        .both(Snb.KNOWS)
        .both(Snb.KNOWS)
        .dedup()
        .has(T.id, P.neq(person))
        .has(T.id, P.without(friends))
        .or(
            __.has(Snb.MONTH_DAY, P.between(month * 100 + FIRST_DAY, (month + 1) * 100)),
            __.has(Snb.MONTH_DAY, P.between(next * 100, next * 100 + FIRST_DAY + 1)))
        .project("id", "common", "all")
        .by(T.id)
        .by(
            __.in(Snb.HAS_CREATOR)
                .hasLabel(Snb.POST)
                .where(__.out(Snb.HAS_TAG).has(T.id, P.within(interests)))
                .count())
        .by(__.in(Snb.HAS_CREATOR).hasLabel(Snb.POST).count())
        .order()
        .by(__.math("2 * common - all"), Order.desc)
        .by(__.select("id"))
        .limit(TEN)
        .toList();
  }

  /** IC11: persons nearby who began to work in a country before a year. */
  static List<?> workingIn(GraphTraversalSource g, long person, String country, int year) {
    return Friends.nearby(g, person)
        .outE(Snb.WORK_AT)
        .has(Snb.WORK_FROM, P.lt(year))
        .where(__.inV().out(Snb.IS_LOCATED_IN).has(Snb.NAME, country))
        .order()
        .by(Snb.WORK_FROM)
        .by(__.outV().id())
        .by(__.inV().values(Snb.NAME), Order.desc)
        .limit(TEN)
        .project("id", "company", "since")
        .by(__.outV().id())
        .by(__.inV().values(Snb.NAME))
        .by(Snb.WORK_FROM)
        .toList();
  }

  /** IC12: the friends whose comments answer most posts with tags of a class or below it. */
  static List<?> experts(GraphTraversalSource g, long person, String tagClass) {
    List<Map<String, Object>> all =
        g.V(person)
            .both(Snb.KNOWS)
            .project("id", "first", "replies")
            .by(T.id)
            .by(Snb.FIRST_NAME)
            .by(
                __.in(Snb.HAS_CREATOR)
                    .hasLabel(Snb.COMMENT)
                    .where(
                        __.out(Snb.REPLY_OF)
                            .hasLabel(Snb.POST)
                            .out(Snb.HAS_TAG)
                            .out(Snb.HAS_TYPE)
                            .emit()
                            .repeat(__.out(Snb.IS_SUBCLASS_OF))
                            .has(Snb.NAME, tagClass))
                    .count())
            .where(__.select("replies").is(P.gt(0L)))
            .order()
            .by(__.select("replies"), Order.desc)
            .by(__.select("id"))
            .limit(TWENTY)
            .toList();
    return all;
  }
}
