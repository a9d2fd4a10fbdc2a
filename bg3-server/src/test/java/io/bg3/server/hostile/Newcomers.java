package io.bg3.server.hostile;

import io.bg3.server.guard.Messages;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Honest clients that come while the server is attacked, one after the other: each connects, logs
 * in under a name that others guess the password of, asks one question, and goes. One that is not
 * let in comes back at once. Runs in a thread of its own.
 */
public final class Newcomers implements SocketPeer.Owner {
  private static final long PAUSE_MILLIS = 700;
  private static final long RETURN_MILLIS = 100;
  private static final long PATIENCE_MILLIS = 20_000;
  private static final ByteBuffer QUESTION = Frames.binary(Messages.request("g.inject(1)"));

  private final Target target;
  private final List<Long> millis = new ArrayList<>();
  private final List<String> refusals = new ArrayList<>();
  private Swarm swarm;
  private long waitingSince; // of the newcomer that is not served yet; 0 if there is none

  /** Newcomers to a server. */
  public Newcomers(Target target) {
    this.target = target;
  }

  /** Sends newcomers for a time. */
  public void run(long runMillis) {
    try (Swarm loop = new Swarm()) {
      swarm = loop;
      come(System.nanoTime());
      loop.run(runMillis);
    }
    if (waitingSince != 0) {
      millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - waitingSince));
    }
  }

  private void come(long since) {
    waitingSince = since;
    SocketPeer peer =
        new SocketPeer(this) {
          @Override
          void opened() {
            send(QUESTION);
          }

          @Override
          void answered(int status) {
            abandon();
            waitingSince = 0;
            millis.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since));
            swarm.after(PAUSE_MILLIS, () -> come(System.nanoTime()));
          }

          @Override
          void closed() {
            refusals.add("closed");
            swarm.after(RETURN_MILLIS, () -> come(since));
          }
        };
    swarm.connect(peer, InetAddress.getLoopbackAddress(), target.port(), 0);
    swarm.after(
        PATIENCE_MILLIS,
        () -> {
          if (!peer.isOver()) {
            peer.abandon();
            refusals.add("no answer");
            come(since);
          }
        });
  }

  @Override
  public Target target() {
    return target;
  }

  @Override
  public ByteBuffer login() {
    return Frames.login(Target.WRITER, Target.password(Target.WRITER));
  }

  @Override
  public void count(String answer) {
    if (!answer.equals("200")) {
      refusals.add(answer);
    }
  }

  /** How long each newcomer took from its first attempt to its answer, in ms, from the shortest. */
  public long[] millis() {
    return millis.stream().mapToLong(Long::longValue).sorted().toArray();
  }

  /** How often they were turned away before they got in. */
  public int refusals() {
    return refusals.size();
  }

  @Override
  public String toString() {
    return Arrays.toString(millis()) + ", turned away: " + refusals;
  }
}
