package io.bg3.gremlin.structure;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.service.Service.ServiceCallContext;
import org.apache.tinkerpop.gremlin.structure.service.ServiceRegistry;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/**
 * The services that {@code call()} finds in a graph; empty until an application, or {@code
 * io.bg3.gremlin.services.Bg3Services}, registers some.
 *
 * <p>Threads: any. Each call excludes the others; what a service does is its own business.
 */
@SuppressWarnings("rawtypes") // as the class above has it
public final class Bg3ServiceRegistry extends ServiceRegistry {
  private final Map<String, ServiceFactory> factories = new ConcurrentHashMap<>();

  Bg3ServiceRegistry() {}

  @Override
  public synchronized ServiceFactory registerService(ServiceFactory factory) {
    factories.put(factory.getName(), factory);
    return super.registerService(factory);
  }

  /** The factory that was registered last under a name; null if there is none. */
  public ServiceFactory factory(String name) {
    return factories.get(name);
  }

  /**
   * Whether the service of a name is known to change nothing; null is the directory of services.
   */
  boolean onlyReads(String name) {
    return name == null
        || name.equals(DirectoryService.NAME)
        || factories.get(name) instanceof ReadOnlyService;
  }

  @Override
  public synchronized void checkRegisteredService(String service) {
    super.checkRegisteredService(service);
  }

  @Override
  public synchronized Service get(String service, boolean isStart, Map params) {
    return super.get(service, isStart, params);
  }

  /** The directory is a copy, so that registering does not disturb who goes through it. */
  @Override
  public synchronized CloseableIterator execute(ServiceCallContext context, Map params) {
    return CloseableIterator.of(copy(super.execute(context, params)));
  }

  private static Iterator<Object> copy(CloseableIterator<?> directory) {
    List<Object> entries = new ArrayList<>();
    directory.forEachRemaining(entries::add);
    return entries.iterator();
  }

  @Override
  public synchronized void close() {
    super.close();
  }
}
