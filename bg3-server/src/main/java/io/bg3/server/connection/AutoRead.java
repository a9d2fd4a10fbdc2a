package io.bg3.server.connection;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.util.EnumSet;
import java.util.Set;

/**
 * Whether a connection is read from: it is while there is no reason against it. The bytes that a
 * client sends meanwhile stays in the buffers of the two systems, until the client cannot send any
 * more.
 *
 * <p>Threads: the event loop of the connection.
 */
public final class AutoRead {
  /** Why a connection is not read from. */
  public enum Reason {
    /** It has as many requests waiting, or bytes of them, as one connection may keep. */
    BACKLOG,
    /** The queue was full, and took no request of it. */
    REFUSED,
    /** The client does not read what it is sent. */
    UNREAD_ANSWERS,
    /** A request waits until the one before it is answered. */
    TURN
  }

  private static final AttributeKey<Set<Reason>> REASONS = AttributeKey.valueOf("bg3.not.read");

  private AutoRead() {}

  /** Stops reading. Bytes that have been read already wait in the {@link ReadGate}, if any. */
  public static void stop(Channel channel, Reason why) {
    reasons(channel).add(why);
    channel.config().setAutoRead(false);
  }

  /** Reads again, unless there is another reason against it. */
  public static void resume(Channel channel, Reason why) {
    Set<Reason> reasons = reasons(channel);
    if (reasons.remove(why) && reasons.isEmpty()) {
      channel.config().setAutoRead(true);
    }
  }

  private static Set<Reason> reasons(Channel channel) {
    Set<Reason> reasons = channel.attr(REASONS).get();
    if (reasons == null) {
      reasons = EnumSet.noneOf(Reason.class);
      channel.attr(REASONS).set(reasons);
    }
    return reasons;
  }
}
