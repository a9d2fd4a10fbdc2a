package io.bg3.gremlin.services;

import io.bg3.batch.BatchRequest;
import io.bg3.gremlin.batch.Batch;
import io.bg3.gremlin.structure.Bg3Graph;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;

/**
 * The services that BG3 offers to {@code call()}: for lists of links and for vertices with
 * consecutive ids, what an application of association lists wants of a server in one request each;
 * and for property indexes and schemas.
 *
 * <p>One that writes is a commit of its own, under the lock of the vertex that it changes (of an
 * index or schema, under that of the store): it never conflicts, and it is visible when it answers.
 * It is not part of the transaction in which it is called, and is not taken back with it. One that
 * only reads belongs to the transaction that is open, and reads the newest snapshot if there is
 * none.
 */
public final class Bg3Services {
  /** The parameter of a service that takes operations as bytes, {@link #isBatch}. */
  public static final String OPERATIONS = BatchRequest.PARAMETER;

  private Bg3Services() {}

  /** Whether a service of this name takes operations as bytes. */
  public static boolean isBatch(Object service) {
    return BatchRequest.SERVICE.equals(service) || BatchRequest.READ_SERVICE.equals(service);
  }

  /**
   * Describes the bytes that such a service is given, for people: the operations, or why they
   * cannot be read.
   *
   * @param most characters after which no other operation is begun
   */
  public static String describe(ByteBuffer operations, int most) {
    try {
      return Batch.read(operations).describe(most);
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  /** Whether a graph offers one of these by this name. */
  public static boolean isOffered(Bg3Graph graph, String service) {
    return own(graph, service).isPresent();
  }

  /**
   * Calls one as a traversal that consists of this call alone does, but without a traversal.
   *
   * @param parameters by name
   * @param between called now and then by what takes long; may throw to end it
   * @return the results; empty if the service of this name is not one of these
   */
  public static Optional<List<?>> call(
      Bg3Graph graph, String service, Map<?, ?> parameters, Runnable between) {
    return own(graph, service).map(own -> own.answer(graph, parameters, between));
  }

  private static Optional<Bg3Service> own(Bg3Graph graph, String service) {
    return graph.getServiceRegistry().factory(service) instanceof Bg3Service own
        ? Optional.of(own)
        : Optional.empty();
  }

  /** Offers them to {@code call()} in a graph; they are closed with it. */
  public static void register(Bg3Graph graph) {
    LinkServices.of(graph).forEach(graph.getServiceRegistry()::registerService);
    NodeServices.of(graph).forEach(graph.getServiceRegistry()::registerService);
    IndexServices.of(graph).forEach(graph.getServiceRegistry()::registerService);
    SchemaServices.of(graph).forEach(graph.getServiceRegistry()::registerService);
    FamilyServices.of(graph).forEach(graph.getServiceRegistry()::registerService);
  }

  /**
   * Offers a service to {@code call()} that changes nothing; it begins a traversal with what it
   * answers. It has no other parameters than these.
   *
   * @param parameters what each is, by name
   */
  public static void registerReading(
      Bg3Graph graph,
      String name,
      Map<String, String> parameters,
      Function<Map<?, ?>, List<?>> work) {
    graph
        .getServiceRegistry()
        .registerService(
            Bg3Service.reading(graph, name, parameters, (in, values) -> work.apply(values.all())));
  }

  /** As {@link #registerReading}, for a service that changes something. */
  public static void registerWriting(
      Bg3Graph graph,
      String name,
      Map<String, String> parameters,
      Function<Map<?, ?>, List<?>> work) {
    graph
        .getServiceRegistry()
        .registerService(
            Bg3Service.writing(graph, name, parameters, (in, values) -> work.apply(values.all())));
  }

  /** Ends an answer that nobody waits for any more. */
  public static void checkInterrupt() {
    if (Thread.interrupted()) {
      throw new TraversalInterruptedException();
    }
  }
}
