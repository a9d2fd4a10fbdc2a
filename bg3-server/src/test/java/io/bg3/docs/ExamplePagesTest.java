package io.bg3.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.source.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A program that a page shows is the file that the comment above it names, and links between the
 * pages lead somewhere.
 */
class ExamplePagesTest {
  private static final Pattern SHOWN =
      Pattern.compile("<!-- (\\S+) -->\n```\\w+\n(.*?)```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]+)(#[^)]*)?\\)");

  @Test
  void aProgramOnAPageIsTheOneInItsFile() {
    int programs = 0;
    for (Path page : pages()) {
      Matcher shown = SHOWN.matcher(Sources.text(page));
      while (shown.find()) {
        programs++;
        assertEquals(
            Sources.text(Path.of(shown.group(1))), shown.group(2), page + ": " + shown.group(1));
      }
    }
    assertTrue(programs > 0, "no page shows a program");
  }

  @Test
  void linksLeadToFiles() {
    List<String> lost = new ArrayList<>();
    for (Path page : pages()) {
      Matcher link = LINK.matcher(Sources.text(page));
      while (link.find()) {
        Path target = Sources.root().resolve(page).resolveSibling(link.group(1));
        if (!Files.exists(target)) {
          lost.add(page + ": " + link.group(1));
        }
      }
    }
    assertEquals(List.of(), lost);
  }

  private static List<Path> pages() {
    return Sources.texts().stream().filter(file -> file.toString().endsWith(".md")).toList();
  }
}
