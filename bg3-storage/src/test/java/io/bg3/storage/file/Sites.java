package io.bg3.storage.file;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which places of the program use files, and at which of them the power was cut or a call failed.
 * One object counts for many disks.
 *
 * <p>A site is named by the first frame of {@code io.bg3} outside this package and the operation:
 * {@code LogOutput.flush:write}. Threads: any.
 */
public final class Sites {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final String ROOT = "io.bg3.";
  private static final String HERE = "io.bg3.storage.file.";

  private final Map<String, Long> seen = new TreeMap<>();
  private final Map<String, Long> changing = new TreeMap<>();
  private final Map<String, Long> cut = new TreeMap<>();
  private final Map<String, Long> failed = new TreeMap<>();

  /** How often each site was passed. */
  public synchronized Map<String, Long> seen() {
    return new TreeMap<>(seen);
  }

  /** How often each site that changes files was passed: all that are not mere looks. */
  public synchronized Map<String, Long> changing() {
    return new TreeMap<>(changing);
  }

  /** How often the power was cut at each site. */
  public synchronized Map<String, Long> cut() {
    return new TreeMap<>(cut);
  }

  /** How often each site was made to fail. */
  public synchronized Map<String, Long> failed() {
    return new TreeMap<>(failed);
  }

  /** Sites that change files at which the power was never cut. */
  public synchronized Set<String> uncut() {
    Set<String> sites = new TreeSet<>(changing.keySet());
    sites.removeAll(cut.keySet());
    return sites;
  }

  /** Sites that were never made to fail. */
  public synchronized Set<String> unfailed() {
    Set<String> sites = new TreeSet<>(seen.keySet());
    sites.removeAll(failed.keySet());
    return sites;
  }

  synchronized String pass(String operation, boolean changes) {
    String site = caller() + ":" + operation;
    seen.merge(site, 1L, Long::sum);
    if (changes) {
      changing.merge(site, 1L, Long::sum);
    }
    return site;
  }

  synchronized void cut(String site) {
    cut.merge(site, 1L, Long::sum);
  }

  synchronized void failed(String site) {
    failed.merge(site, 1L, Long::sum);
  }

  private static String caller() {
    return WALKER.walk(
        frames ->
            frames
                .filter(f -> f.getClassName().startsWith(ROOT))
                .filter(f -> !f.getClassName().startsWith(HERE))
                .findFirst()
                .map(f -> simple(f.getClassName()) + "." + method(f.getMethodName()))
                .orElse("test"));
  }

  private static String simple(String className) {
    return className.substring(className.lastIndexOf('.') + 1).replace('$', '.');
  }

  /** The method a lambda stands in. */
  private static String method(String name) {
    String prefix = "lambda$";
    return name.startsWith(prefix) ? name.substring(prefix.length(), name.lastIndexOf('$')) : name;
  }
}
