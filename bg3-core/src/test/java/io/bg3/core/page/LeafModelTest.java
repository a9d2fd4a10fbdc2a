package io.bg3.core.page;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Does to a leaf what a store does and expects the answers of a sorted map; then does one thing
 * wrong and expects to notice. A failure prints its seed; repeat it with {@code -Dbg3.seed=…}.
 */
class LeafModelTest {
  private static final int STEPS = 200;

  /** Broken twins are run until they fail, at most this often. */
  private static final int TRIES = 100;

  static Stream<Arguments> kindsAndSeeds() {
    return Stream.of(LeafKind.values())
        .flatMap(kind -> Seeds.of(15).mapToObj(seed -> Arguments.of(kind, seed)));
  }

  @ParameterizedTest
  @MethodSource("kindsAndSeeds")
  void aLeafAnswersLikeAMapOfVersions(LeafKind kind, long seed) {
    try (LeafSimulation simulation = new LeafSimulation(kind, LeafSimulation.Fault.NONE, seed)) {
      simulation.run(STEPS);
      assertTrue(kind == LeafKind.BYTES || simulation.quickWrites() > 0);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aPlantedFaultIsFound(LeafSimulation.Fault fault) {
    for (LeafKind kind : LeafKind.values()) {
      assertTrue(isFound(kind, fault), () -> "not found: fault=" + fault + ", kind=" + kind);
    }
  }

  @Test
  void seedsRepeat() {
    LongStream.range(0, 3)
        .forEach(
            seed -> {
              try (LeafSimulation simulation =
                  new LeafSimulation(LeafKind.EDGES, LeafSimulation.Fault.NONE, seed)) {
                simulation.run(50);
              }
            });
  }

  private static boolean isFound(LeafKind kind, LeafSimulation.Fault fault) {
    Random seeds = new Random(1);
    for (int i = 0; i < TRIES; i++) {
      // a simulation that failed is left as it is: what it holds goes with it
      @SuppressWarnings("resource")
      LeafSimulation simulation = new LeafSimulation(kind, fault, seeds.nextLong());
      try {
        simulation.run(STEPS);
      } catch (AssertionError e) {
        return true;
      }
    }
    return false;
  }
}
