package io.bg3.bench.gremlin;

import io.bg3.bench.report.Metric;
import io.bg3.bench.server.Clients;
import io.bg3.bench.server.Remote;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;

/**
 * Asks the servers of several systems the questions of a work, as bytecode, in rounds by turns, so
 * that what changes with time changes the figures of all.
 *
 * <p>Threads: belongs to one.
 */
public final class ServedRounds {
  private static final double MICROS_A_MILLI = 1e3;
  private static final int WARM_ROUNDS = 2;

  /** A request that fails is sent again so often, as an application does after a conflict. */
  private static final int TRIES = 10;

  private final List<Served> systems;
  private final GremlinTask task;
  private final BenchGraph data;
  private final String setting;

  /**
   * A system and who asks its server.
   *
   * @param clients as many as those of the other systems
   */
  public record Served(GremlinSystem system, Clients clients) {}

  /**
   * Nothing asked yet.
   *
   * @param task what the servers have loaded, and the rounds
   * @param setting of the figures
   */
  public ServedRounds(GremlinTask task, List<Served> systems, String setting) {
    this.task = task;
    this.data = new BenchGraph(task);
    this.systems = List.copyOf(systems);
    this.setting = setting;
  }

  /** The figures of a work, of all systems. */
  public List<Metric> measure(GremlinWork work) {
    List<Side> sides = systems.stream().map(served -> new Side(served, work)).toList();
    sides.forEach(Side::compare);
    sides.forEach(side -> side.ask(WARM_ROUNDS * task.seconds()));
    for (int round = 0; round < task.rounds(); round++) {
      for (int i = 0; i < sides.size(); i++) {
        Side side = sides.get((i + round) % sides.size());
        side.rounds.add(side.ask(task.seconds()));
      }
    }
    return sides.stream().flatMap(side -> side.figures().stream()).toList();
  }

  /** One work at one server. */
  private final class Side {
    private final Served served;
    private final GremlinWork work;
    private final AtomicLong next = new AtomicLong();
    private final List<Clients.Round> rounds = new ArrayList<>();
    private final AnswerHash answer;

    Side(Served served, GremlinWork work) {
      this.served = served;
      this.work = work;
      this.answer = new AnswerHash(false);
    }

    void compare() {
      for (int i = 0; i < work.compared(); i++) {
        answer.add(served.clients.answer(this::answer, next.getAndIncrement()));
      }
    }

    Clients.Round ask(double seconds) {
      return served.clients.round(this::answer, next::getAndIncrement, seconds);
    }

    private List<?> answer(Remote remote, long n) {
      Questions questions = new Questions(remote.g(), data, task, VertexIds.numbers());
      for (int tries = 1; ; tries++) {
        try {
          return work.ask(questions, n).toList();
        } catch (RuntimeException e) {
          if (tries == TRIES) {
            throw new IllegalStateException(
                "no answer: system=" + served.system.text() + ", work=" + work.text(), e);
          }
        }
      }
    }

    List<Metric> figures() {
      return List.of(
          figure("", "requests/s", Clients.Round::rate),
          figure(".p50", "us", round -> MICROS_A_MILLI * round.median()),
          figure(".p99", "us", round -> MICROS_A_MILLI * round.ninetyNine()),
          figure(".cpu", "us/request", Clients.Round::cpu));
    }

    private Metric figure(String suffix, String unit, ToDoubleFunction<Clients.Round> of) {
      return new Metric(
          work.text() + suffix,
          served.system.text(),
          setting,
          unit,
          suffix.isEmpty(),
          suffix.isEmpty() ? answer.text() : "",
          rounds.stream().mapToDouble(of).boxed().toList());
    }
  }
}
