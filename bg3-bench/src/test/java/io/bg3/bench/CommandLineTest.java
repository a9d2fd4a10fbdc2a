package io.bg3.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Reads the help of all commands. */
class CommandLineTest {
  private static List<CommandLine> commands() {
    List<CommandLine> all = new ArrayList<>(List.of(Main.commandLine()));
    for (int i = 0; i < all.size(); i++) {
      all.addAll(all.get(i).getSubcommands().values());
    }
    return all;
  }

  /** picocli formats each line, and prints a warning above the help where that fails. */
  @Test
  void helpIsWhatItsLinesSay() {
    for (CommandLine command : commands()) {
      UsageMessageSpec usage = command.getCommandSpec().usageMessage();
      String help = command.getUsageMessage().replaceAll("\\s+", " ");
      for (String line : usage.footer()) {
        assertTrue(line.length() < 80, command.getCommandName() + ": " + line);
      }
      Stream.of(usage.description(), usage.footer())
          .flatMap(Stream::of)
          .map(line -> String.format(line).strip().replaceAll("\\s+", " "))
          .forEach(line -> assertTrue(help.contains(line), command.getCommandName() + ": " + line));
    }
    assertEquals(2, Main.commandLine().getSubcommands().size());
  }
}
