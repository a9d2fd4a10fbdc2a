package io.bg3.bench.snb;

import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** The interactive short reads of LDBC's SNB. */
final class ShortReads {
  private static final int NEWEST = 10;

  private ShortReads() {}

  /** IS1: the profile of a person. */
  static List<?> profile(GraphTraversalSource g, long person) {
    return g.V(person)
        .project("first", "last", "birthday", "ip", "browser", "city", "gender", "created")
        .by(Snb.FIRST_NAME)
        .by(Snb.LAST_NAME)
        .by(Snb.BIRTHDAY)
        .by(Snb.LOCATION_IP)
        .by(Snb.BROWSER)
        .by(__.out(Snb.IS_LOCATED_IN).id())
        .by(Snb.GENDER)
        .by(Snb.CREATION_DATE)
        .toList();
  }

  /** IS2: the newest messages of a person, with the post that began each thread and its author. */
  static List<?> newestMessages(GraphTraversalSource g, long person) {
    return g.V(person)
        .in(Snb.HAS_CREATOR)
        .order()
        .by(Snb.CREATION_DATE, Order.desc)
        .by(T.id, Order.desc)
        .limit(NEWEST)
        .project("id", "content", "date", "post", "author", "first", "last")
        .by(T.id)
        .by(Snb.CONTENT)
        .by(Snb.CREATION_DATE)
        .by(firstPost().id())
        .by(firstPost().out(Snb.HAS_CREATOR).id())
        .by(firstPost().out(Snb.HAS_CREATOR).values(Snb.FIRST_NAME))
        .by(firstPost().out(Snb.HAS_CREATOR).values(Snb.LAST_NAME))
        .toList();
  }

  /** The post that a message answers, through all comments between. */
  private static GraphTraversal<Vertex, Vertex> firstPost() {
    return __.<Vertex>until(__.hasLabel(Snb.POST)).repeat(__.out(Snb.REPLY_OF));
  }

  /** IS3: the friends of a person, newest friendship first. */
  static List<?> friends(GraphTraversalSource g, long person) {
    return g.V(person)
        .bothE(Snb.KNOWS)
        .project("id", "first", "last", "since")
        .by(__.otherV().id())
        .by(__.otherV().values(Snb.FIRST_NAME))
        .by(__.otherV().values(Snb.LAST_NAME))
        .by(Snb.CREATION_DATE)
        .order()
        .by(__.select("since"), Order.desc)
        .by(__.select("id"))
        .toList();
  }

  /** IS4: the content of a message. */
  static List<?> content(GraphTraversalSource g, long message) {
    return g.V(message).project("date", "content").by(Snb.CREATION_DATE).by(Snb.CONTENT).toList();
  }

  /** IS5: the author of a message. */
  static List<?> author(GraphTraversalSource g, long message) {
    return g.V(message)
        .out(Snb.HAS_CREATOR)
        .project("id", "first", "last")
        .by(T.id)
        .by(Snb.FIRST_NAME)
        .by(Snb.LAST_NAME)
        .toList();
  }

  /** IS6: the forum of a message, and its moderator. */
  static List<?> forum(GraphTraversalSource g, long message) {
    return g.V(message)
        .until(__.hasLabel(Snb.POST))
        .repeat(__.out(Snb.REPLY_OF))
        .in(Snb.CONTAINER_OF)
        .project("id", "title", "moderator", "first", "last")
        .by(T.id)
        .by(Snb.TITLE)
        .by(__.out(Snb.HAS_MODERATOR).id())
        .by(__.out(Snb.HAS_MODERATOR).values(Snb.FIRST_NAME))
        .by(__.out(Snb.HAS_MODERATOR).values(Snb.LAST_NAME))
        .toList();
  }

  /** IS7: the replies to a message, and whether their authors know the author of the message. */
  static List<?> replies(GraphTraversalSource g, long message) {
    Object author = g.V(message).out(Snb.HAS_CREATOR).id().next();
    return g.V(message)
        .in(Snb.REPLY_OF)
        .order()
        .by(Snb.CREATION_DATE, Order.desc)
        .by(T.id)
        .project("id", "content", "date", "author", "knows")
        .by(T.id)
        .by(Snb.CONTENT)
        .by(Snb.CREATION_DATE)
        .by(__.out(Snb.HAS_CREATOR).id())
        .by(
            __.choose(
                __.out(Snb.HAS_CREATOR).both(Snb.KNOWS).hasId(author),
                __.constant(true),
                __.constant(false)))
        .toList();
  }
}
