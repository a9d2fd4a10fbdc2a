package io.bg3.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.source.Sources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Compares the pages with the files that they refer to: a program on a page equals the file that
 * the comment above it names, a part of a program is in its file, and every link leads to a file
 * and to a heading that exist.
 */
class ExamplePagesTest {
  private static final Pattern SHOWN =
      Pattern.compile("<!-- (part of )?(\\S+) -->\n```\\w+\n(.*?)```", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]*)(?:#([^)]*))?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");

  @Test
  void everyProgramOnAPageIsInItsFile() {
    int programs = 0;
    int parts = 0;
    for (Path page : pages()) {
      Matcher shown = SHOWN.matcher(Sources.text(page));
      while (shown.find()) {
        String file = Sources.text(Path.of(shown.group(2))).replace("\t", "  "); // Go's tabs
        if (shown.group(1) == null) {
          programs++;
          assertEquals(file, shown.group(3), page + ": " + shown.group(2));
        } else {
          parts++;
          assertTrue(file.contains(shown.group(3)), page + ": " + shown.group(2));
        }
      }
    }
    assertTrue(programs > 0, "no page shows a program");
    assertTrue(parts > 0, "no page shows a part of a program");
  }

  @Test
  void everyLinkLeadsToAFileAndAHeading() {
    List<String> lost = new ArrayList<>();
    for (Path page : pages()) {
      Matcher link = LINK.matcher(Sources.text(page));
      while (link.find()) {
        Path target =
            link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1)).normalize();
        if (!Files.exists(Sources.root().resolve(target))
            || (link.group(2) != null && !anchors(target).contains(link.group(2)))) {
          lost.add(page + ": " + link.group());
        }
      }
    }
    assertEquals(List.of(), lost);
  }

  /** The anchors that GitHub gives to the headings of a page. */
  private static List<String> anchors(Path page) {
    List<String> anchors = new ArrayList<>();
    Matcher heading = HEADING.matcher(Sources.text(page));
    while (heading.find()) {
      String text = heading.group(1).toLowerCase(Locale.ROOT);
      anchors.add(text.replaceAll("[^\\w\\- ]", "").replace(' ', '-'));
    }
    return anchors;
  }

  private static List<Path> pages() {
    return Sources.texts().stream().filter(file -> file.toString().endsWith(".md")).toList();
  }
}
