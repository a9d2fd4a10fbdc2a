package io.bg3.server;

import io.bg3.server.guard.Messages;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.tinkerpop.gremlin.driver.Cluster;
import org.apache.tinkerpop.gremlin.driver.exception.ResponseException;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;

/**
 * A client that commits pairs of vertices and writes down what it was told of each: that it is
 * committed, that it is not, or nothing, because the connection broke. The store has to agree
 * later. Belongs to one thread.
 */
abstract class Committing implements AutoCloseable {
  /** The answer to a client. */
  enum Told {
    COMMITTED,
    REFUSED,
    NOTHING
  }

  final String name;
  final Set<Integer> committed = new HashSet<>();
  final Set<Integer> refused = new HashSet<>();
  final Map<String, Integer> refusals = new HashMap<>();
  int unknown;
  private int last;

  Committing(String name) {
    this.name = name;
  }

  /** Commits the next pair. */
  Told commit() throws Exception {
    int i = ++last;
    Told told = commit(i);
    switch (told) {
      case COMMITTED -> committed.add(i);
      case REFUSED -> refused.add(i);
      case NOTHING -> unknown++;
    }
    return told;
  }

  abstract Told commit(int i) throws Exception;

  /** Gives its connections back. */
  @Override
  public abstract void close();

  Told refused(String why) {
    refusals.merge(why, 1, Integer::sum);
    return Told.REFUSED;
  }

  /** Compares with the numbers that both vertices of a pair have, and those that one has. */
  void compare(Set<Integer> pairs, Set<Integer> halves, String told) {
    if (!halves.isEmpty()) {
      throw new AssertionError("half of a commit: of=" + name + ", i=" + halves + ", " + told);
    }
    for (int i : committed) {
      if (!pairs.contains(i)) {
        throw new AssertionError("committed and gone: of=" + name + ", i=" + i + ", " + told);
      }
    }
    for (int i : refused) {
      if (pairs.contains(i)) {
        throw new AssertionError("refused and there: of=" + name + ", i=" + i + ", " + told);
      }
    }
  }

  /** Through the Java driver: outside of a transaction, or in one of {@code g.tx()}. */
  static final class Driven extends Committing {
    private final Cluster cluster;
    private final GraphTraversalSource g;
    private final boolean inTransaction;

    Driven(int port, String name, boolean inTransaction) {
      super(name);
      this.cluster = ServedFixture.client(port);
      this.g = ServedFixture.source(cluster);
      this.inTransaction = inTransaction;
    }

    @Override
    Told commit(int i) {
      try {
        if (!inTransaction) {
          g.addV("pair")
              .property("of", name)
              .property("i", i)
              .addV("pair")
              .property("of", name)
              .property("i", i)
              .iterate();
          return Told.COMMITTED;
        }
        Transaction tx = g.tx();
        GraphTraversalSource inside = tx.begin();
        inside.addV("pair").property("of", name).property("i", i).iterate();
        inside.addV("pair").property("of", name).property("i", i).iterate();
        tx.commit();
        return Told.COMMITTED;
      } catch (RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
          if (cause instanceof ResponseException answer) {
            return refused(answer.getMessage());
          }
        }
        return Told.NOTHING;
      }
    }

    @Override
    public void close() {
      var unused = cluster.closeAsync(); // the server may be gone, nobody waits for it
    }
  }

  /**
   * Through the driver of another language, in {@code g.tx()}: a program that reads a number for
   * each pair and prints what it was told.
   */
  static final class Programmed extends Committing {
    private static final long PATIENCE_SECONDS = 600;

    private final Process process;
    private final BufferedReader answers;
    private final Writer numbers;

    Programmed(String name, ProcessBuilder program) throws IOException {
      super(name);
      this.process = program.redirectError(ProcessBuilder.Redirect.DISCARD).start();
      this.answers = process.inputReader(StandardCharsets.UTF_8);
      this.numbers = process.outputWriter(StandardCharsets.UTF_8);
    }

    @Override
    Told commit(int i) throws Exception {
      return switch (String.valueOf(answer(i))) {
        case "committed" -> Told.COMMITTED;
        case "refused" -> refused("by a driver of another language");
        default -> Told.NOTHING; // also where the program ended with its connection
      };
    }

    private String answer(int i) throws InterruptedException, ExecutionException {
      try {
        numbers.write(i + "\n");
        numbers.flush();
      } catch (IOException e) {
        return null; // it has ended
      }
      try {
        return CompletableFuture.supplyAsync(this::line).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        return null; // the driver has not noticed that the server is gone
      }
    }

    private String line() {
      try {
        return answers.readLine();
      } catch (IOException e) {
        return null;
      }
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  /** By texts over a socket of its own: outside of a transaction, or in sessions, one a pair. */
  static class Wired extends Committing {
    private final int port;
    private final boolean inSession;
    private Wire wire;

    Wired(int port, String name, boolean inSession) {
      super(name);
      this.port = port;
      this.inSession = inSession;
      this.wire = new Wire(port);
    }

    @Override
    Told commit(int i) throws Exception {
      String add = ".addV('pair').property('of','" + name + "').property('i'," + i + ")";
      if (!inSession) {
        return told(Messages.text(null, "g" + add + add));
      }
      String session = UUID.randomUUID().toString();
      boolean failed = false;
      for (int part = 0; part < 2; part++) {
        between(0);
        Told told = told(Messages.text(session, "g" + add));
        if (told == Told.NOTHING) {
          return told;
        }
        failed |= told == Told.REFUSED; // and it goes on, as a careless client does
      }
      between(1);
      Told told = told(Messages.commit(session));
      if (failed && told == Told.COMMITTED) {
        throw new AssertionError("the rest of a transaction was committed: i=" + i);
      }
      return told;
    }

    /** Called before each request of a session; before the commit with 1. */
    void between(int committing) throws Exception {}

    /** Breaks the connection off without a word. */
    final void drop() {
      wire.close();
    }

    final void connect() {
      wire = new Wire(port);
    }

    private Told told(byte[] request) throws Exception {
      try {
        wire.send(request);
      } catch (RuntimeException e) { // the connection is closed
        return Told.NOTHING;
      }
      ResponseMessage answer = wire.answerIfAny();
      if (answer == null) {
        return Told.NOTHING;
      }
      return switch (answer.getStatus().getCode()) {
        case SUCCESS, NO_CONTENT -> Told.COMMITTED;
        default -> refused(answer.getStatus().getMessage());
      };
    }

    @Override
    public void close() {
      wire.close();
    }
  }
}
