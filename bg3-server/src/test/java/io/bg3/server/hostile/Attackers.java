package io.bg3.server.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The process of all attackers. It makes its messages, prints {@code ready}, waits for a line,
 * attacks for some seconds, and prints a line for each class of attack.
 *
 * <p>Each class comes from an address of its own, 127.0.0.2 and following, where the system lets a
 * client choose among them; so a share of an address is the share of a class of attack.
 */
public final class Attackers {
  private static final int FIRST_ADDRESS = 2;

  private interface Kind {
    Attack of(Target target, long seed, InetAddress from);
  }

  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          Map.entry("endless queries", EndlessQueries::new),
          Map.entry("extreme numbers", ExtremeNumbers::new),
          Map.entry("unrolled repeats", UnrolledRepeats::new),
          Map.entry("colliding collections", CollidingCollections::new),
          Map.entry("nested messages", NestedMessages::new),
          Map.entry("malformed frames", MalformedFrames::new),
          Map.entry("unread answers", UnreadAnswers::new),
          Map.entry("big messages that wait", BigWaiting::new),
          Map.entry("requests before login", BeforeLogin::new),
          Map.entry("guessed passwords", Guesses::new),
          Map.entry("idle connections", IdleConnections::new),
          Map.entry("half handshakes", HalfHandshakes::new),
          Map.entry("slow letters", SlowLetters::new),
          Map.entry("refused texts", RefusedTexts::new),
          Map.entry("sessions that are left", LeftSessions::new),
          Map.entry("log forging", LogForging::new),
          Map.entry("vanishing clients", Vanishing::new),
          Map.entry("compressed zeros", CompressedZeros::new),
          Map.entry("http requests", HttpRequests::new),
          Map.entry("time-outs", TimeOuts::new),
          Map.entry("forbidden writes", ForbiddenWrites::new));

  private Attackers() {}

  /** The names of all classes of attack. */
  public static Set<String> names() {
    return KINDS.keySet();
  }

  /**
   * Attacks.
   *
   * @param arguments port, port of HTTP, whether there are users, seed, seconds, whether all
   *     attackers come from 127.0.0.1, names of the classes divided by commas
   */
  public static void main(String[] arguments) throws IOException {
    Target target =
        new Target(
            Integer.parseInt(arguments[0]),
            Integer.parseInt(arguments[1]),
            Boolean.parseBoolean(arguments[2]));
    long seed = Long.parseLong(arguments[3]);
    long millis = Long.parseLong(arguments[4]) * 1_000;
    boolean oneAddress = Boolean.parseBoolean(arguments[5]);
    List<String> names = List.of(arguments[6].split(","));
    List<String> attacking = new ArrayList<>();
    List<Attack> attacks = new ArrayList<>();
    for (String name : KINDS.keySet().stream().sorted().toList()) {
      int number = attacks.size();
      if (names.contains(name)) {
        InetAddress from =
            InetAddress.getByAddress(
                new byte[] {127, 0, 0, (byte) (oneAddress ? 1 : FIRST_ADDRESS + number)});
        Attack attack = KINDS.get(name).of(target, seed + name.hashCode(), from);
        if (attack.isFor(target)) {
          attacks.add(attack);
          attacking.add(name);
        }
      }
    }
    System.out.println("ready");
    int go = System.in.read();
    if (go >= 0) {
      attack(attacks, millis);
    }
    for (int i = 0; i < attacks.size(); i++) {
      System.out.println(line(attacking.get(i), attacks.get(i)));
    }
  }

  private static void attack(List<Attack> attacks, long millis) {
    try (Swarm swarm = new Swarm()) {
      attacks.forEach(attack -> attack.begin(swarm));
      swarm.run(millis);
    }
  }

  private static String line(String name, Attack attack) {
    String answers =
        attack.answers().entrySet().stream()
            .map(entry -> entry.getKey() + ": " + entry.getValue())
            .collect(Collectors.joining(", "));
    return String.format(Locale.ROOT, "%-24s %,10d  %s", name, attack.attempts(), answers);
  }
}
