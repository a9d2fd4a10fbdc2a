package io.bg3.core.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Registers commits and looks which pins are free. */
class PinsTest {
  private final Pins pins = new Pins();

  @Test
  void whatTheOldestRegistrationHasPinnedIsNotFree() {
    try (Pins.Registration first = pins.register()) {
      for (int i = 0; i < 100; i++) {
        try (Pins.Registration other = pins.register()) {
          assertTrue(other.number() >= first.number());
          assertEquals(first.number(), pins.advance());
        }
      }
    }
    long last = pins.current();
    assertTrue(pins.advance() > last, "nobody is registered");
  }

  @Test
  void aRegistrationThatLastsKeepsFewPinsOfThoseThatHaveEnded() {
    long earlier = pins.current();
    for (int i = 0; i < 20; i++) {
      pins.register().close();
    }
    try (Pins.Registration waiting = pins.register()) {
      assertTrue(waiting.number() > earlier + 1, "number=" + waiting.number());
      assertEquals(waiting.number(), pins.advance());
    }
  }

  @Test
  void thereAreSlotsForAllWhoRegister() {
    List<Pins.Registration> all = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      all.add(pins.register());
    }
    for (Pins.Registration each : all) {
      assertTrue(pins.advance() <= each.number());
      each.close();
    }
    long last = pins.current();
    assertTrue(pins.advance() > last);
  }
}
