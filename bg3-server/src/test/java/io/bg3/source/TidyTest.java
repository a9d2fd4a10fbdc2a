package io.bg3.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Leftovers that no compiler complains about and no reader wants to find. The patterns are written
 * so that they miss this file.
 */
class TidyTest {
  @Test
  void nothingIsLeftForLater() {
    assertNone(Sources.texts(), "\\b(TO[D]O|FI[X]ME|XX[X])\\b");
  }

  @Test
  void noLineHasTabsOrSpacesAtItsEnd() {
    assertNone(Sources.texts(), "\\t|[ \\u00A0]+$");
  }

  @Test
  void noFileKnowsTheMachineItWasWrittenOn() {
    assertNone(Sources.texts(), "(^|[\\s\"'(=:])/(wor[k]|roo[t]|hom[e]|User[s])/");
  }

  /** A compiler that was told another directory leaves its output beside the sources. */
  @Test
  void noOutputOfABuildLiesAmongTheSources() {
    List<String> found =
        Sources.files().stream()
            .map(Path::toString)
            .filter(name -> name.matches(".*\\.(class|stamp|jar)"))
            .toList();
    assertEquals(List.of(), found);
  }

  @Test
  void onlyTheCommandLinePrints() {
    assertNone(
        main(
            file ->
                !Sources.packageOf(file).equals("io.bg3.cli")
                    && !file.endsWith("Bg3GraphStore.java") // warns where no log message is shown
                    && !file.endsWith("RotatedFile.java")), // says that a log cannot be written
        "System\\.(out|err)\\b|printStackTrace\\(\\)");
  }

  @Test
  void onlyTheCommandLineEndsTheProcess() {
    assertNone(
        main(
            file ->
                !Set.of("io.bg3.cli", "io.bg3.bench", "io.bg3.linkbench.cli")
                    .contains(Sources.packageOf(file))),
        "System\\.exit|Runtime\\.getRuntime\\(\\)\\.halt");
  }

  @Test
  void noCodeReachesIntoTheVirtualMachine() {
    assertNone(main(file -> true), "sun\\.misc|jdk\\.internal|setAccessible");
  }

  @Test
  void onlyTheFileLayerOpensFiles() {
    assertNone(
        main(
            file ->
                file.toString().matches("bg3-(storage|core)/.*")
                    && !Sources.packageOf(file).equals("io.bg3.storage.file")),
        "FileChannel|RandomAccessFile|java\\.io\\.File\\b|java\\.nio\\.file\\.Files\\b");
  }

  @Test
  void onlySeedsReadsTheSeed() {
    assertNone(
        Sources.java("test").stream().filter(file -> !file.endsWith("Seeds.java")).toList(),
        "getLong\\(\"bg3\\.seed");
  }

  @Test
  void importsNameOneType() {
    assertNone(
        Stream.concat(Sources.java("main").stream(), Sources.java("test").stream()).toList(),
        "^import (static )?[\\w.]+\\.\\*;");
  }

  @Test
  void everyPackageSaysWhatItIs() {
    List<Path> files = Sources.java("main");
    List<String> silent =
        files.stream()
            .map(Path::getParent)
            .distinct()
            .filter(folder -> !files.contains(folder.resolve("package-info.java")))
            .map(Path::toString)
            .toList();
    assertEquals(List.of(), silent);
  }

  @Test
  void everyTypeSaysWhatItIs() {
    List<String> silent =
        Sources.java("main").stream()
            .filter(file -> !Sources.text(file).contains("/**"))
            .map(Path::toString)
            .toList();
    assertEquals(List.of(), silent);
  }

  private static List<Path> main(Predicate<Path> which) {
    return Sources.java("main").stream().filter(which).toList();
  }

  private static void assertNone(List<Path> files, String pattern) {
    Pattern unwanted = Pattern.compile(pattern);
    List<String> found = new ArrayList<>();
    for (Path file : files) {
      List<String> lines = Sources.lines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (unwanted.matcher(lines.get(i)).find()) {
          found.add(file + ":" + (i + 1) + ": " + lines.get(i).strip());
        }
      }
    }
    assertEquals(List.of(), found);
  }
}
