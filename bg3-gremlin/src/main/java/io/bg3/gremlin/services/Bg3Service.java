package io.bg3.gremlin.services;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.ReadOnlyService;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.service.Service.ServiceFactory;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/**
 * A service of BG3's own: begins a traversal with what it answers to its parameters.
 *
 * <p>Threads: any.
 */
@SuppressWarnings("rawtypes") // as the interfaces of services have it
class Bg3Service implements ServiceFactory<Object, Object> {
  /** The work of a service. */
  @FunctionalInterface
  interface Work {
    /** The results; the graph is the one in which it was called. */
    List<?> answer(Bg3Graph graph, ServiceParameters parameters);
  }

  private final Bg3Graph registered;
  private final String name;
  private final Map<String, String> parameters;
  private final Work work;
  private final Runnable end;

  private Bg3Service(
      Bg3Graph registered, String name, Map<String, String> parameters, Work work, Runnable end) {
    this.registered = registered;
    this.name = name;
    this.parameters = parameters;
    this.work = work;
    this.end = end;
  }

  /**
   * A service that changes nothing.
   *
   * @param parameters what each is, by name
   */
  static Bg3Service reading(
      Bg3Graph graph, String name, Map<String, String> parameters, Work work) {
    return new Reading(graph, name, parameters, work);
  }

  /**
   * A service that may write.
   *
   * @param parameters what each is, by name
   */
  static Bg3Service writing(
      Bg3Graph graph, String name, Map<String, String> parameters, Work work) {
    return writing(graph, name, parameters, work, () -> {});
  }

  /**
   * A service that may write.
   *
   * @param parameters what each is, by name
   * @param end is run when the graph is closed
   */
  static Bg3Service writing(
      Bg3Graph graph, String name, Map<String, String> parameters, Work work, Runnable end) {
    return new Bg3Service(graph, name, parameters, work, end);
  }

  /** A service that the graph's registry knows to change nothing. */
  private static final class Reading extends Bg3Service implements ReadOnlyService {
    private Reading(Bg3Graph graph, String name, Map<String, String> parameters, Work work) {
      super(graph, name, parameters, work, () -> {});
    }
  }

  /**
   * The answer of the service.
   *
   * @param between called now and then by what takes long; may throw
   */
  List<?> answer(Bg3Graph graph, Map<?, ?> values, Runnable between) {
    if (!(this instanceof ReadOnlyService)) {
      graph.beforeServiceWrites();
    }
    return work.answer(graph, new ServiceParameters(name, values, parameters.keySet(), between));
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public Map<String, String> describeParams() {
    return parameters;
  }

  @Override
  public Set<Service.Type> getSupportedTypes() {
    return Set.of(Service.Type.Start);
  }

  @Override
  public Service<Object, Object> createService(boolean isStart, Map params) {
    if (!isStart) {
      throw new UnsupportedOperationException(Service.Exceptions.cannotUseMidTraversal);
    }
    return new Call();
  }

  @Override
  public void close() {
    end.run();
  }

  /** The iterator that a traversal holds and closes. */
  private final class Call implements Service<Object, Object> {
    @Override
    public Service.Type getType() {
      return Service.Type.Start;
    }

    @Override
    @SuppressWarnings("unchecked") // the parameters are raw
    public CloseableIterator<Object> execute(ServiceCallContext context, Map params) {
      Object in = context.getTraversal().getGraph().orElse(registered);
      Bg3Graph graph = in instanceof Bg3Graph own ? own : registered;
      List<?> answer = Bg3Service.this.answer(graph, params, Bg3Services::checkInterrupt);
      return CloseableIterator.of((Iterator<Object>) answer.iterator());
    }

    @Override
    public void close() {}
  }
}
