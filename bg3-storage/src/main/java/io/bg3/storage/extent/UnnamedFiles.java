package io.bg3.storage.extent;

import io.bg3.storage.file.Disk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The files of extents that no manifest names: those that an opening <i>found</i>, left over from
 * before a crash, and those of extents that were <i>made</i> since and that no manifest can name
 * yet.
 *
 * <pre>
 *   the store is    found      made, when the store is closed
 *   planned         kept       deleted
 *   established     deleted    kept: the next opening deletes what no manifest names
 *   refused         as above   deleted
 * </pre>
 *
 * <p>Threads: any; {@code this} is the guard.
 */
final class UnnamedFiles {
  private final Disk disk;
  private final List<String> found = new ArrayList<>();
  private final List<Extent> made = new ArrayList<>();
  private boolean planned = true;
  private boolean refused;

  UnnamedFiles(Disk disk) {
    this.disk = disk;
  }

  /**
   * Looks which files are there.
   *
   * @param named names of the files that the manifest names
   */
  synchronized void find(Set<String> named) throws IOException {
    for (String name : disk.list()) {
      if (Extent.isName(name) && !named.contains(name)) {
        found.add(name);
      }
    }
  }

  /** Names of the files that were found and are still there. */
  synchronized List<String> found() {
    return List.copyOf(found);
  }

  /** Whether the file of an extent with a number was found. */
  synchronized boolean isFound(int number) {
    return found.stream().anyMatch(name -> Extent.isNumbered(name, number));
  }

  /** Deletes the files that were found. */
  synchronized void deleteFound() throws IOException {
    while (!found.isEmpty()) {
      disk.deleteIfThere(found.get(found.size() - 1));
      found.remove(found.size() - 1);
    }
  }

  /** Whether the store is planned and not established yet. */
  synchronized boolean isPlanned() {
    return planned;
  }

  /** Says that the store goes on from its manifest; returns the extents made until now. */
  synchronized List<Extent> establish() {
    planned = false;
    return made();
  }

  /** Says that the opening has failed, so that what it has made is in vain. */
  synchronized void refuse() {
    refused = true;
  }

  /** Says that an extent is about to be made. */
  synchronized void make(Extent extent) {
    made.add(extent);
  }

  /** Says that the file of an extent that was made is not there, or not its own. */
  synchronized void forget(Extent extent) {
    made.remove(extent);
  }

  /** Extents that were made and that no manifest can name. */
  synchronized List<Extent> made() {
    return List.copyOf(made);
  }

  /** Says that a manifest may name the extents with these numbers from now on. */
  synchronized void named(Set<Integer> numbers) {
    made.removeIf(extent -> numbers.contains(extent.number()));
  }

  /** Says that the store is closed, and deletes what was made in vain. */
  void close() throws IOException {
    for (Extent extent : takeInVain()) {
      disk.deleteIfThere(extent.fileName());
    }
  }

  private synchronized List<Extent> takeInVain() {
    List<Extent> vain = planned || refused ? List.copyOf(made) : List.of();
    made.clear();
    planned = false;
    return vain;
  }
}
