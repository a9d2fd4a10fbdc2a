package io.bg3.server.request;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.process.traversal.GraphOp;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Tells what a request does to the transaction of its session: a commit, a rollback, something in
 * it, or something beside it.
 *
 * <p>Threads: any; without state.
 */
final class TransactionRequest {
  /** The text of an operation on the transaction; another text differs within its first words. */
  private static final Pattern OPERATION =
      Pattern.compile(
          "\\s*\\w+\\s*\\.\\s*tx\\s*\\(\\s*\\)\\s*\\.\\s*(commit|rollback)\\s*\\(\\s*\\)[\\s;]*");

  private TransactionRequest() {}

  /** Whether a request is to end the session's transaction, whatever comes of it. */
  static boolean isEnd(RequestMessage request) {
    return isCommit(request) || isRollback(request);
  }

  /** Whether a request is to commit the session's transaction. */
  static boolean isCommit(RequestMessage request) {
    return is(GraphOp.TX_COMMIT, request);
  }

  /** Whether a request is to roll the session's transaction back. */
  static boolean isRollback(RequestMessage request) {
    return is(GraphOp.TX_ROLLBACK, request);
  }

  /** Whether a request is an operation on the transaction, as bytecode or as text. */
  private static boolean is(GraphOp operation, RequestMessage request) {
    Object query = request.getArgs().get(Tokens.ARGS_GREMLIN);
    if (query instanceof String text) {
      Matcher named = OPERATION.matcher(text);
      return named.matches()
          && named.group(1).equals(operation == GraphOp.TX_COMMIT ? "commit" : "rollback");
    }
    return operation.getBytecode().equals(query);
  }

  /** Whether a request is a transaction of its own, although it is in a session. */
  static boolean managesTransaction(RequestMessage request) {
    return Boolean.TRUE.equals(request.getArgs().get(Tokens.ARGS_MANAGE_TRANSACTION));
  }
}
