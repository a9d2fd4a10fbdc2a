package io.bg3.gremlin.structure;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.service.Service.ServiceCallContext;
import org.apache.tinkerpop.gremlin.structure.service.ServiceRegistry;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/**
 * The services that {@code call()} finds in a graph; empty until {@link Bg3Services} or others are
 * registered.
 *
 * <p>Threads: any. Each call excludes the others; what a service does is its own business.
 */
@SuppressWarnings("rawtypes") // as the class above has it
final class Bg3ServiceRegistry extends ServiceRegistry {
  private final Map<String, Bg3Service> own = new ConcurrentHashMap<>();
  private final Set<String> readOnly = ConcurrentHashMap.newKeySet(); // of those that are not own

  @Override
  public synchronized ServiceFactory registerService(ServiceFactory factory) {
    own.remove(factory.getName());
    readOnly.remove(factory.getName());
    if (factory instanceof Bg3Service service) {
      own.put(service.getName(), service);
    } else if (factory instanceof ReadOnlyService) {
      readOnly.add(factory.getName());
    }
    return super.registerService(factory);
  }

  /** Whether it is known of this service that it changes nothing; null is the directory. */
  boolean onlyReads(String name) {
    if (name == null || name.equals(DirectoryService.NAME)) {
      return true;
    }
    Bg3Service service = own.get(name);
    return service != null ? service.reads() : readOnly.contains(name);
  }

  /** The service of this name if it is one of BG3's own; null if it is another's or not there. */
  Bg3Service own(String name) {
    return own.get(name);
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
