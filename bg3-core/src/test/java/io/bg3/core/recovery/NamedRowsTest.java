package io.bg3.core.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.core.table.PageRow;
import io.bg3.storage.memory.MemoryBudget;
import io.bg3.testing.Seeds;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Notes changes of rows, and compares with a sorted map that keeps the first row of each page. */
class NamedRowsTest {
  static LongStream seeds() {
    return Seeds.of(10);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theFirstRowOfAPageStaysUntilTheNextManifest(long seed) {
    Random random = new Random(seed);
    MemoryBudget budget = new MemoryBudget(1 << 20, "bg3.memory.budget");
    NamedRows named = new NamedRows(budget);
    Map<Integer, PageRow> model = new TreeMap<>();
    int pages = 1 + random.nextInt(5_000);
    for (int manifest = 0; manifest < 5; manifest++) {
      for (int i = random.nextInt(10_000); i > 0; i--) {
        int page = 1 + random.nextInt(pages) * (random.nextBoolean() ? 1 : 1_024);
        PageRow from = new PageRow(random.nextInt(3), random.nextInt(3));
        named.changes(page, from);
        model.putIfAbsent(page, from);
      }
      assertEquals(model.size(), named.count());
      assertArrayEquals(model.keySet().stream().mapToInt(i -> i).toArray(), named.pages());
      for (int i = 0; i < 2_000; i++) {
        int page = 1 + random.nextInt(pages);
        assertEquals(model.get(page), named.named(page), "page " + page + ", -Dbg3.seed=" + seed);
      }
      assertEquals(named.bytes(), budget.used());
      assertTrue(named.bytes() <= 4_096 + 100L * named.count(), "bytes=" + named.bytes());
      named.clear();
      model.clear();
      assertEquals(0, budget.used());
      assertNull(named.named(1));
    }
  }
}
