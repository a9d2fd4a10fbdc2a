package io.bg3.server.access;

import io.bg3.gremlin.services.Bg3Services;
import io.bg3.server.log.ClientAddress;
import io.bg3.server.log.ClientLog;
import io.bg3.server.log.ForeignLineFilter;
import io.bg3.server.log.LineLimit;
import io.bg3.server.log.Printable;
import io.bg3.server.request.GraphName;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The user, the address, the operation and the outcome of each login and each request: one line,
 * under the logger {@value #NAME}. A worker writes the line before the request runs, so what is
 * allowed may still fail. An event loop hands the line of a request that only reads to a thread
 * that writes it ({@link AuditWriter}), before it answers: so the end of the process can take such
 * lines that were not written yet, and none of a request that writes.
 *
 * <p>Strangers can have no more than a few lines: of logins that are refused {@value #REFUSED_EACH}
 * of an address and {@value #REFUSED_ALL} of all addresses are written in ten seconds, and the
 * others counted. These lines take nothing from the lines of users.
 *
 * <p>Threads: any, but none that may not wait for a disk; for {@link #request} event loops too.
 */
public final class AuditLog implements AutoCloseable {
  /** The logger's name. */
  public static final String NAME = "bg3.audit";

  private static final Logger LOG = LoggerFactory.getLogger(NAME);
  private static final int QUERY = 2_000;
  private static final int WORD = 200;
  private static final int NAME_LENGTH = User.LONGEST_NAME;
  private static final int REFUSED_EACH = 5;
  private static final int REFUSED_ALL = 20;

  private static final String REQUEST =
      "request user=\"{}\" role={} graph={} from={} via={} op={} outcome={}{} query=\"{}\"";

  /** Steps that call a service and give it a parameter. */
  private static final String CALL = "call";

  private static final String WITH = "with";

  private final boolean on;
  private final LineLimit refused;
  private volatile Optional<AuditWriter> writer = Optional.empty(); // until it is started

  /** A log that writes, or one that does not where there are no users. */
  public AuditLog(boolean on) {
    this(on, System::nanoTime);
  }

  AuditLog(boolean on, LongSupplier nanos) {
    this.on = on;
    this.refused = new LineLimit(REFUSED_EACH, REFUSED_ALL, nanos);
  }

  /** Starts the thread that writes for event loops, if there is something to write. */
  public void start() {
    if (on) {
      writer = Optional.of(new AuditWriter(line -> line.writeTo(LOG)));
    }
  }

  /** Whether the log is written. */
  boolean isOn() {
    return on;
  }

  /** Whether an event loop may hand over the line of a request now. */
  boolean isQuick() {
    return !on || writer.filter(AuditWriter::hasRoom).isPresent();
  }

  /** Writes the lines that were handed over. Lines that come later are written by their threads. */
  @Override
  public void close() {
    writer.ifPresent(AuditWriter::close);
  }

  /** Notes an attempt to log in, whether or not its client is still there. */
  void login(Channel from, String via, Login login) {
    if (!on) {
      return;
    }
    boolean allowed = login.account().isPresent();
    if (allowed || refused.admits("from=" + ClientAddress.of(from.remoteAddress()))) {
      LOG.info(
          allowed ? null : ForeignLineFilter.LIMITED,
          "login user=\"{}\" from={} via={} outcome={}{}",
          Printable.of(login.name(), NAME_LENGTH),
          address(from),
          via,
          outcome(allowed),
          reason(login.problem()));
    }
  }

  /** Notes how many refused logins were left out, in each ten seconds that are over. */
  void summarise() {
    summarise(refused.ended());
  }

  /** Notes what was left out until now. */
  void summariseRest() {
    summarise(refused.end());
  }

  private static void summarise(List<LineLimit.Suppressed> leftOut) {
    LineLimit.summarise(
        leftOut, line -> LOG.info(ForeignLineFilter.LIMITED, "logins refused: {}", line));
  }

  /** Notes that the server closed the connection of a user, and why. */
  void ended(String user, Channel from, String problem) {
    if (on) {
      LOG.info("logout user=\"{}\" from={}{}", user, address(from), reason(problem));
    }
  }

  /**
   * Notes that a client has asked for the end of a query.
   *
   * @param by the client's user
   * @param owner the user of the query that was ended; empty if none was
   */
  public void killed(String by, Channel from, long number, Optional<String> owner) {
    if (on) {
      LOG.info(
          "kill user=\"{}\" from={} query={} outcome={}{}",
          by,
          address(from),
          number,
          owner.isPresent() ? "ended" : "none",
          owner.map(name -> " of=\"" + Printable.of(name, NAME_LENGTH) + '"').orElse(""));
    }
  }

  /**
   * Notes a request that was validated.
   *
   * @param role what the user may do on the graph, in a word
   */
  void request(
      String user, String role, Channel from, String via, RequestMessage request, String problem) {
    if (!on) {
      return;
    }
    String query = Printable.of(text(request), QUERY);
    Object[] fields = {
      user, // the first argument, by which a filter counts the lines of a user
      role,
      word(GraphName.of(request)),
      address(from),
      via,
      word(request.getOp()),
      outcome(problem.isEmpty()),
      reason(problem),
      query
    };
    AuditLine line = new AuditLine(System.currentTimeMillis(), REQUEST, fields, query.length());
    if (!from.eventLoop().inEventLoop() || writer.filter(one -> one.add(line)).isEmpty()) {
      line.writeTo(LOG);
    }
  }

  /**
   * The operations of a request. A batch is bytes: its operations stand behind the query, as far as
   * there is room in a line.
   */
  static String text(RequestMessage request) {
    Object query = request.getArgs().getOrDefault(Tokens.ARGS_GREMLIN, "");
    StringBuilder text = new StringBuilder(String.valueOf(query));
    if (query instanceof Bytecode bytecode) {
      addBatches(bytecode, text);
    } else if (text.indexOf(CALL) >= 0) { // a text has no form for bytes, they stand beside it
      addBatches(request.getArgs().get(Tokens.ARGS_BINDINGS), true, text);
    }
    return text.toString();
  }

  private static void addBatches(Bytecode query, StringBuilder text) {
    boolean batch = false; // whether the last service that was called takes one
    for (Bytecode.Instruction step : query.getStepInstructions()) {
      Object[] arguments = step.getArguments();
      boolean call = step.getOperator().equals(CALL);
      if (call) {
        batch = arguments.length > 0 && Bg3Services.isBatch(arguments[0]);
      }
      for (Object argument : arguments) {
        addBatches(argument, batch && (call || step.getOperator().equals(WITH)), text);
      }
    }
  }

  /** Adds the batches of an argument. */
  private static void addBatches(Object argument, boolean bytes, StringBuilder text) {
    if (text.length() >= QUERY) {
      return;
    }
    if (argument instanceof Bytecode.Binding<?> binding) {
      addBatches(binding.value(), bytes, text);
    } else if (argument instanceof Bytecode nested) {
      addBatches(nested, text);
    } else if (argument instanceof Map<?, ?> map) {
      map.values().forEach(value -> addBatches(value, bytes, text));
    } else if (bytes && argument instanceof ByteBuffer operations) {
      text.append(' ').append(Bg3Services.describe(operations, QUERY - text.length()));
    }
  }

  /** A client's word that stands without quotes: no blank in it can look like another field. */
  private static String word(String text) {
    String printable = Printable.of(text, WORD);
    if (printable.isEmpty()) {
      return "-";
    }
    StringBuilder word = new StringBuilder(printable);
    for (int i = 0; i < word.length(); i++) {
      char c = word.charAt(i);
      boolean isPlain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || "_.-".indexOf(c) >= 0;
      if (!isPlain) {
        word.setCharAt(i, '_');
      }
    }
    return word.toString();
  }

  private static String outcome(boolean allowed) {
    return allowed ? "allowed" : "refused";
  }

  private static String reason(String problem) {
    return problem.isEmpty() ? "" : " reason=\"" + Printable.of(problem, WORD) + '"';
  }

  private static String address(Channel channel) {
    return ClientLog.address(channel.remoteAddress());
  }
}
