package io.bg3.server.guard;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;

/**
 * Refuses requests while the server stops. Those of sessions pass: the {@link SessionGate} lets a
 * transaction that is open go on to its end. Shared by all connections.
 */
@Sharable
public final class IntakeGate extends ChannelInboundHandlerAdapter {
  private final Intake intake;

  /** For all connections of an endpoint. */
  public IntakeGate(Intake intake) {
    this.intake = intake;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof RequestMessage request
        && !intake.isOpen()
        && !request.getProcessor().equals(SessionGate.PROCESSOR)) {
      Answers.refuse(context, request, Refusal.stopping());
    } else {
      context.fireChannelRead(message);
    }
  }
}
