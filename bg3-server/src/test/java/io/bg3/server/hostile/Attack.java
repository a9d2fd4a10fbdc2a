package io.bg3.server.hostile;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A class of attack. It makes its messages in the constructor, from the seed, and begins in the
 * thread of the swarm; it counts its attempts and what the server answered to them.
 */
abstract class Attack implements SocketPeer.Owner {
  /** How long an attacker whose connection was closed waits until it comes back. */
  static final long RETURN_MILLIS = 250;

  private static final int POOL = 24;

  private final Map<String, Long> answers = new TreeMap<>();
  private final Target target;
  private final Random random;
  private final InetAddress from;
  private final ByteBuffer login;
  private Swarm swarm;
  private long attempts;
  private long connections;

  /**
   * Attackers of a server.
   *
   * @param seed of all chance of this attack
   * @param from the address that the attack comes from
   */
  Attack(Target target, long seed, InetAddress from) {
    this.target = target;
    this.random = new Random(seed);
    this.from = from;
    int account = random.nextInt(Target.READERS.size());
    this.login =
        Frames.login(Target.READERS.get(account), Target.password(Target.READERS.get(account)));
  }

  /** Whether the attack has a meaning for the target. */
  boolean isFor(Target server) {
    return true;
  }

  /** Opens the first connections. */
  abstract void begin();

  final void begin(Swarm loop) {
    this.swarm = loop;
    begin();
  }

  @Override
  public final Target target() {
    return target;
  }

  final Random random() {
    return random;
  }

  /** The login that this attack uses: that of a reader. */
  @Override
  public ByteBuffer login() {
    return login;
  }

  final void attempt() {
    attempts++;
  }

  @Override
  public final void count(String answer) {
    answers.merge(answer, 1L, Long::sum);
  }

  /**
   * The number of attempts: messages, say, or else connections. With users a busy server may let an
   * attacker in so late that it has sent none.
   */
  final long attempts() {
    return attempts > 0 ? attempts : connections;
  }

  /** How often each answer came: the status of a message, of an HTTP response, or an end. */
  final Map<String, Long> answers() {
    return answers;
  }

  final void after(long millis, Runnable task) {
    swarm.after(millis, task);
  }

  final void connect(Peer peer) {
    connect(peer, 0);
  }

  final void connect(Peer peer, int receiveBytes) {
    connections++;
    swarm.connect(peer, from, target.port(), receiveBytes);
  }

  final void connectHttp(Peer peer) {
    connections++;
    swarm.connect(peer, from, target.httpPort(), 0);
  }

  final <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  /** A number of messages of a generator, made once. */
  static <T> List<T> pool(Supplier<T> generator) {
    return pool(POOL, generator);
  }

  static <T> List<T> pool(int count, Supplier<T> generator) {
    List<T> pool = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      pool.add(generator.get());
    }
    return List.copyOf(pool);
  }

  /**
   * Opens WebSockets that send messages of a pool: each the next one when the last is answered, and
   * comes back when it is closed.
   *
   * @param atOnce messages that a connection sends without waiting for answers
   * @param pauseMillis between an answer and the next message
   */
  final void keepAsking(int connections, List<ByteBuffer> pool, int atOnce, long pauseMillis) {
    for (int i = 0; i < connections; i++) {
      after(random.nextInt(500), () -> ask(pool, atOnce, pauseMillis));
    }
  }

  private void ask(List<ByteBuffer> pool, int atOnce, long pauseMillis) {
    connect(
        new SocketPeer(this) {
          @Override
          void opened() {
            for (int i = 0; i < atOnce; i++) {
              sendOne();
            }
          }

          @Override
          void answered(int status) {
            if (pauseMillis == 0) {
              sendOne();
            } else {
              after(pauseMillis, this::sendOne);
            }
          }

          private void sendOne() {
            if (!isOver()) {
              attempt();
              send(pick(pool));
            }
          }

          @Override
          void closed() {
            count("closed");
            after(RETURN_MILLIS, () -> ask(pool, atOnce, pauseMillis));
          }
        });
  }
}
