package io.bg3.core.forest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bg3.testing.Seeds;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DirectoryTest {
  @Test
  void answersAbsentUntilAnOwnerHasATreeOfItsOwn() {
    Directory directory = new Directory();
    assertEquals(Directory.ABSENT, directory.lookUp(5));
    directory.put(5, 1000);
    assertEquals(1000, directory.lookUp(5));
    assertEquals(Directory.ABSENT, directory.lookUp(0));
  }

  @Test
  void answersLikeAHashMapWhileItGrows() {
    long seed = Seeds.one();
    Random random = new Random(seed);
    Directory directory = new Directory();
    Map<Long, Integer> model = new HashMap<>();
    for (int i = 0; i < 2_000; i++) {
      long owner = random.nextInt(3_000) - 1_000L;
      directory.put(owner, i + 1);
      model.put(owner, i + 1);
    }
    for (long owner = -1_000; owner < 2_000; owner++) {
      assertEquals(
          model.getOrDefault(owner, Directory.ABSENT),
          directory.lookUp(owner),
          "-Dbg3.seed=" + seed);
    }
  }
}
