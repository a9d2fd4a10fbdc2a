package io.bg3.linkbench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;
import org.slf4j.helpers.SubstituteLoggerFactory;

/** A log that nobody sees is noticed, once. */
class LostLogTest {
  @Test
  void logbackIsWhereTheLogShouldBe() {
    assertNull(LostLog.message(LoggerFactory.getILoggerFactory()));
  }

  @Test
  void aBindingThatIsStillLookedForIsNotBlamed() {
    assertNull(LostLog.message(new SubstituteLoggerFactory()));
  }

  @Test
  void anotherBindingIsNamedWithWhatToDo() {
    ILoggerFactory other = new NOPLoggerFactory();
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(written, true, StandardCharsets.UTF_8);
    LostLog.warn(other, to);
    LostLog.warn(other, to);
    String text = written.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("go to " + NOPLoggerFactory.class.getName()), text);
    assertTrue(text.contains("Put BG3's jars before LinkBench's on the class path."), text);
    assertEquals(1, text.lines().count(), text);
  }
}
