package io.bg3.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.core.limit.Limit;
import io.bg3.source.Sources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The table of docs/limits.md says what the code says. With {@code -Dbg3.write=true} this test
 * writes it instead of comparing.
 */
class LimitsPageTest {
  private static final String HEAD = "| limit | at most | of what | why |\n|---|---:|---|---|\n";

  @Test
  void theTableIsWhatTheCodeSays() throws IOException {
    Path file = Sources.root().resolve("docs/limits.md");
    String page = Files.readString(file);
    int begin = page.indexOf(HEAD) + HEAD.length();
    int end = page.indexOf("\n\n", begin - 1) + 1;
    String rows = rows();
    if (Boolean.getBoolean("bg3.write")) {
      Files.writeString(file, page.substring(0, begin) + rows + page.substring(end));
      return;
    }
    assertEquals(
        rows,
        page.substring(begin, end),
        "docs/limits.md is stale; write it with -Dbg3.write=true");
  }

  private static String rows() {
    StringBuilder rows = new StringBuilder();
    for (Limit limit : Limit.values()) {
      rows.append("| `")
          .append(limit)
          .append("` | ")
          .append(String.format(Locale.ROOT, "%,d", limit.most()))
          .append(" | ")
          .append(limit.unit())
          .append(" | ")
          .append(limit.reason())
          .append(" |\n");
    }
    return rows.toString();
  }
}
