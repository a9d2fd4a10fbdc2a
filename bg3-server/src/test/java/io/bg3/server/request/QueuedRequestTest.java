package io.bg3.server.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.answer.Refusal;
import io.bg3.server.dispatch.Client;
import io.bg3.server.dispatch.EndReason;
import io.bg3.server.dispatch.RunningRequest;
import io.bg3.server.dispatch.Scheduler;
import io.bg3.server.dispatch.SchedulerLimits;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that are stuck before anything of them is evaluated, and are ended by a person. */
class QueuedRequestTest {
  private static final long PATIENCE_SECONDS = 300;

  private final Scheduler scheduler =
      new Scheduler(new SchedulerLimits(1, 1, 1, 10, 1 << 20, 600_000));
  private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());

  @AfterEach
  void close() {
    scheduler.close();
    boolean unused = channel.finishAndReleaseAll();
  }

  /** A request that is being read until the test lets it go, whatever it is told. */
  private static final class Stuck extends QueuedRequest {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final List<String> answers = new ArrayList<>();
    private volatile RunningRequest running;

    Stuck() {
      super(1);
    }

    @Override
    protected Optional<RequestMessage> read() {
      running = RunningRequest.current().orElseThrow();
      begun.countDown();
      while (goOn.getCount() > 0) {
        try {
          goOn.await();
        } catch (InterruptedException e) {
          // it does not care
        }
      }
      return Optional.empty();
    }

    @Override
    protected UUID id() {
      return new UUID(0, 1);
    }

    @Override
    protected void refuse(Refusal why) {
      answers.add(why.getMessage());
    }

    @Override
    protected boolean mayBeInSession() {
      return false;
    }

    @Override
    protected boolean belongsToSession() {
      return false;
    }
  }

  @Test
  void aStuckRequestIsAnsweredWithTheReasonOfItsEnd() throws InterruptedException {
    ChannelHandlerContext context = channel.pipeline().firstContext();
    RequestQueue queue = new RequestQueue(null, scheduler);
    Client client = scheduler.connect("ada");
    Stuck stuck = new Stuck();
    stuck.submitted(queue, null, context, true);
    scheduler.submit(client, stuck);
    assertTrue(stuck.begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
    assertEquals(Optional.of("ada"), scheduler.kill(stuck.number(), owner -> true));
    assertEquals(EndReason.KILLED, stuck.running.reason());
    assertTrue(stuck.abandon(stuck.running));
    assertEquals(1, stuck.answers.size());
    String answer = stuck.answers.get(0);
    assertTrue(answer.contains("ended by its user or an administrator"), answer);
    assertFalse(channel.isOpen());
    stuck.goOn.countDown();
    scheduler.finish();
    assertTrue(
        scheduler.awaitQuiet(System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)));
  }
}
