package io.bg3.core.recovery;

import io.bg3.storage.extent.ExtentSettings;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.file.Disk;
import io.bg3.storage.format.UnreadableException;
import io.bg3.storage.log.LogReader;
import io.bg3.storage.log.LogSettings;
import io.bg3.storage.log.WriteAheadLog;
import io.bg3.storage.manifest.Manifest;
import io.bg3.storage.manifest.ManifestFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks at each file of a store that does not open: all that the manifest names, rather than the
 * first that opening stumbled over. The content of the extents is not looked at. Nothing is
 * changed.
 */
public final class DamageReport {
  private static final int EXTENT_SIZE = 1 << 20; // for appends, and there are none

  private final Disk disk;
  private final List<String> problems = new ArrayList<>();

  private DamageReport(Disk disk) {
    this.disk = disk;
  }

  /**
   * Surveys a store.
   *
   * @return what is wrong, one sentence each
   * @throws IOException if the disk fails
   */
  public static List<String> of(Disk disk) throws IOException {
    DamageReport survey = new DamageReport(disk);
    try {
      survey.manifest();
    } catch (UnreadableException e) {
      survey.problems.add(e.getMessage());
    }
    return List.copyOf(survey.problems);
  }

  private void manifest() throws IOException {
    Optional<Manifest> manifest = ManifestFile.read(disk);
    if (manifest.isPresent()) {
      String file = disk.describe(ManifestFile.NAME);
      Checkpoint checkpoint = Checkpoint.decode(manifest.get().payload(), file);
      extents(manifest.get().store(), checkpoint);
      log(manifest.get().store(), checkpoint);
    }
  }

  private void extents(long store, Checkpoint checkpoint) throws IOException {
    ExtentSettings settings = ExtentSettings.of(store, EXTENT_SIZE);
    try (ExtentStore extents = ExtentStore.plan(disk, settings, checkpoint.extents())) {
      extents.check().forEach(problem -> problems.add(problem.getMessage()));
    } catch (UnreadableException e) {
      problems.add(e.getMessage());
    }
  }

  private void log(long store, Checkpoint checkpoint) throws IOException {
    LogSettings settings = LogSettings.of(store);
    long from = checkpoint.logPosition();
    try (LogReader reader = WriteAheadLog.read(disk, settings, from, checkpoint.logDurable())) {
      while (reader.next()) {
        assert reader.end() > from : reader.end();
      }
    } catch (UnreadableException e) {
      problems.add(e.getMessage());
    }
  }
}
