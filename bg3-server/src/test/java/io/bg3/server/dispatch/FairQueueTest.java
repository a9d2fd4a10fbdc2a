package io.bg3.server.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.testing.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the queue with what a list of all clients says after each of many random operations, and
 * runs simulated clients against each other. A failure prints its seed; {@code -Dbg3.seed=…}
 * repeats it.
 */
class FairQueueTest {
  private static final long STEP = 50;
  private static final long DEBT = 1_000;
  private static final int OVERLAP = 3;

  private final FairQueue queue = new FairQueue(OVERLAP, STEP, DEBT);

  static LongStream seeds() {
    return Seeds.of(20);
  }

  /** A client, as the test sees it. */
  private static final class Model {
    final Client client;
    final Deque<ScheduledRequest> waiting = new ArrayDeque<>();
    final Deque<ScheduledRequest> running = new ArrayDeque<>();
    boolean isPreparing;
    boolean isBlocked;

    Model(Client client) {
      this.client = client;
    }

    /**
     * @param all the clients of all owners
     */
    boolean mayBegin(List<Model> all) {
      int ofOwner =
          all.stream()
              .filter(one -> one.client.owner == client.owner)
              .flatMap(one -> one.running.stream())
              .mapToInt(work -> work.isInSession() ? 0 : 1)
              .sum();
      int most = client.owner.limits.queries();
      return !waiting.isEmpty()
          && !isPreparing
          && !isBlocked
          && running.size() < OVERLAP
          && (most == 0 || ofOwner < most || waiting.peek().isInSession());
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void agreesWithAList(long seed) {
    Random random = new Random(seed);
    List<Model> models = new ArrayList<>();
    for (int owner = 0; owner < 3; owner++) {
      Owner of = new Owner("owner" + owner);
      for (int i = 0; i <= 2 * owner; i++) {
        models.add(new Model(new Client(of)));
      }
    }
    for (int step = 0; step < 3_000; step++) {
      Model model = models.get(random.nextInt(models.size()));
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> {
          boolean isInSession = random.nextInt(3) == 0;
          ScheduledRequest work = TestWork.ofBytes(random.nextInt(1_000)).inSession(isInSession);
          model.waiting.add(work);
          queue.add(model.client, work, step);
        }
        case 3, 4 -> takeNext(models);
        case 5 -> {
          if (model.isPreparing) {
            model.isPreparing = false;
            queue.prepared(model.client);
          } else if (!model.running.isEmpty()) {
            ScheduledRequest ended =
                random.nextBoolean() ? model.running.remove() : model.running.removeLast();
            queue.charge(model.client, random.nextInt(200));
            queue.ended(model.client, ended);
          }
        }
        case 6 -> {
          model.isBlocked = random.nextInt(4) == 0;
          queue.block(model.client, model.isBlocked, step);
        }
        default -> change(random, models, model, step);
      }
      check(models, Seeds.say(seed) + ", step " + step);
    }
  }

  private void change(Random random, List<Model> models, Model model, int step) {
    switch (random.nextInt(30)) {
      case 0 -> assertEquals(List.copyOf(model.waiting), queue.clear(model.client));
      case 1 -> {
        long ofOwner = models.stream().mapToLong(one -> one.client.owner.bytes).max().orElse(0);
        FairQueue.Removed removed = queue.evictByBytes(model.client, 0);
        if (removed != null) {
          ScheduledRequest evicted = removed.work();
          queue.mend(removed.client());
          Model from =
              models.stream()
                  .filter(one -> one.waiting.peekLast() == evicted)
                  .findFirst()
                  .orElseThrow();
          from.waiting.removeLast();
          long size = FairQueue.bytesOf(evicted);
          assertEquals(ofOwner, from.client.owner.bytes + size);
          for (Model one : models) {
            boolean isOfOwner = one.client.owner == from.client.owner;
            assertTrue(!isOfOwner || one.client.bytes <= from.client.bytes + size);
          }
        }
        return;
      }
      case 2 -> {
        List<FairQueue.Removed> removed = queue.expire(step - 500);
        removed.forEach(one -> queue.mend(one.client()));
        List<ScheduledRequest> expired = removed.stream().map(FairQueue.Removed::work).toList();
        assertTrue(removed.stream().noneMatch(one -> one.client().isBlocked));
        for (Model one : models) {
          while (!one.waiting.isEmpty() && expired.contains(one.waiting.peek())) {
            one.waiting.remove();
          }
        }
        return;
      }
      case 3 -> {
        queue.limit(model.client.owner, new OwnerLimits(0, random.nextInt(4), 0));
        return;
      }
      default -> {
        queue.charge(model.client, random.nextInt(100));
        return;
      }
    }
    model.waiting.clear();
  }

  private void takeNext(List<Model> models) {
    Client next = queue.peek();
    if (next != null) {
      Model model = models.stream().filter(one -> one.client == next).findFirst().orElseThrow();
      ScheduledRequest taken = model.waiting.remove();
      assertSame(taken, queue.take(next));
      model.isPreparing = true;
      model.running.add(taken);
    }
  }

  private void check(List<Model> models, String at) {
    List<Model> ready = models.stream().filter(one -> one.mayBegin(models)).toList();
    Client next = queue.peek();
    assertEquals(ready.isEmpty(), next == null, at);
    if (next != null) {
      long ownersTime = ready.stream().mapToLong(one -> one.client.owner.time).min().orElseThrow();
      assertEquals(ownersTime, next.owner.time, at);
      long time =
          ready.stream()
              .filter(one -> one.client.owner == next.owner)
              .mapToLong(one -> one.client.time)
              .min()
              .orElseThrow();
      assertEquals(time, next.time, at);
      assertTrue(ready.stream().anyMatch(one -> one.client == next), at);
    }
    for (Model one : models) {
      boolean another = ready.stream().anyMatch(other -> other != one);
      assertEquals(another, queue.isAnotherReady(one.client), at);
    }
    assertEquals(models.stream().mapToInt(one -> one.waiting.size()).sum(), queue.size(), at);
    long bytes =
        models.stream().flatMap(one -> one.waiting.stream()).mapToLong(FairQueue::bytesOf).sum();
    assertEquals(bytes, queue.bytes(), at);
  }

  /** Q1. */
  @Test
  void timeWithoutRequestsIsNotSavedUpByOneThatNeverWaits() {
    Client busy = new Client(new Owner("busy"));
    for (int i = 0; i < 10; i++) {
      queue.add(busy, TestWork.named("busy"), 0);
      assertSame(busy, serve(10 * STEP));
    }
    Client quick = new Client(new Owner("quick"));
    queue.charge(quick, STEP);
    assertTrue(queue.isAhead(quick.owner));
    assertEquals(STEP, quick.time);
  }

  /** Serves the next request for so long; the client that it belongs to. */
  private Client serve(long nanos) {
    Client client = queue.peek();
    ScheduledRequest work = queue.take(client);
    queue.prepared(client);
    queue.charge(client, nanos);
    queue.ended(client, work);
    return client;
  }

  private void add(Client client) {
    queue.add(client, TestWork.ofBytes(10), 0);
  }

  @Test
  void requestsOfAClientAreTakenInTheirOrder() {
    Client client = new Client(new Owner("a"));
    List<ScheduledRequest> added = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      added.add(TestWork.ofBytes(i));
      queue.add(client, added.get(i), i);
    }
    List<ScheduledRequest> taken = new ArrayList<>();
    for (Client next = queue.peek(); next != null; next = queue.peek()) {
      ScheduledRequest work = queue.take(next);
      taken.add(work);
      queue.prepared(next);
      queue.ended(next, work);
    }
    assertEquals(added, taken);
  }

  @Test
  void ownersGetTheSameTimeHoweverManyConnectionsTheyHave() {
    Owner crowd = new Owner("crowd");
    Client lonely = new Client(new Owner("lonely"));
    List<Client> many = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      many.add(new Client(crowd));
    }
    for (int i = 0; i < 100; i++) {
      many.forEach(this::add);
      add(lonely);
      add(lonely);
    }
    int ofLonely = 0;
    for (int i = 0; i < 200; i++) {
      ofLonely += serve(10) == lonely ? 1 : 0;
    }
    assertTrue(ofLonely >= 95 && ofLonely <= 105, "of 200: " + ofLonely);
  }

  /** The honest client asks now and then; the others always have 10 requests waiting. */
  @Test
  void aClientThatAsksNowAndThenIsNext() {
    Owner address = new Owner("127.0.0.1");
    for (int i = 0; i < 64; i++) {
      Client attacker = new Client(address);
      for (int k = 0; k < 10; k++) {
        add(attacker);
      }
    }
    for (int i = 0; i < 128; i++) {
      add(serve(100));
    }
    Client honest = new Client(address);
    add(honest);
    int until = 1;
    while (serve(100) != honest) {
      until++;
    }
    assertTrue(until <= 65, "new, and behind one request of each other at most: " + until);
    for (int i = 0; i < 20; i++) {
      for (int k = 0; k < 64; k++) {
        add(serve(100));
      }
      add(honest);
      assertSame(honest, serve(1), "known by now, and next");
    }
  }

  /** Q2: an attacker closes its connection after each request and makes another. */
  @Test
  void aFreshConnectionForEachRequestIsNoAdvantage() {
    Owner address = new Owner("127.0.0.1");
    Client honest = new Client(address);
    add(honest);
    Client attacker = new Client(address);
    add(attacker);
    int ofHonest = 0;
    for (int i = 0; i < 100; i++) {
      if (serve(STEP / 2) == honest) {
        ofHonest++;
        add(honest);
      } else {
        add(new Client(address));
      }
    }
    assertTrue(ofHonest >= 50, "of 100: " + ofHonest);
  }

  /** Q2: a connection that has used much and is made anew stands where it stood. */
  @Test
  void debtOutlivesAConnection() {
    Owner address = new Owner("127.0.0.1");
    Client greedy = new Client(address);
    add(greedy);
    serve(DEBT / 2);
    queue.clear(greedy);
    queue.close(greedy);
    Client modest = new Client(address);
    Client anew = new Client(address);
    assertTrue(queue.isAhead(address));
    for (int i = 0; i < 5; i++) {
      add(modest);
    }
    add(anew);
    assertSame(modest.owner, anew.owner);
    assertTrue(anew.time >= greedy.time);
  }

  /** Q1: a client that was idle for long is not served alone until it has caught up. */
  @Test
  void timeWithoutRequestsIsNotSavedUp() {
    Owner address = new Owner("127.0.0.1");
    Client idle = new Client(address);
    Client busy = new Client(address);
    add(idle);
    serve(1);
    for (int i = 0; i < 100; i++) {
      add(busy);
      serve(100);
    }
    int inARow = 0;
    for (int i = 0; i < 100; i++) {
      add(idle);
      add(busy);
    }
    while (serve(100) == idle) {
      inARow++;
    }
    assertTrue(inARow <= 3, "in a row: " + inARow);
  }

  /** Q3: time that nobody else wanted is forgotten soon. */
  @Test
  void debtIsBounded() {
    Client alone = new Client(new Owner("alone"));
    add(alone);
    serve(1_000_000);
    Client other = new Client(new Owner("other"));
    for (int i = 0; i < 100; i++) {
      add(alone);
      add(other);
    }
    int until = 0;
    while (serve(100) != alone) {
      until++;
    }
    assertTrue(until <= DEBT / 100 + 2, "behind for: " + until);
  }

  @Test
  void roomIsMadeByTheHeaviest() {
    Owner heavy = new Owner("heavy");
    Client heaviest = new Client(heavy);
    Client second = new Client(heavy);
    Client light = new Client(new Owner("light"));
    ScheduledRequest last = TestWork.ofBytes(3_000);
    queue.add(heaviest, TestWork.ofBytes(3_000), 0);
    queue.add(heaviest, last, 0);
    queue.add(second, TestWork.ofBytes(3_000), 0);
    queue.add(light, TestWork.ofBytes(100), 0);
    assertSame(last, queue.evictByBytes(light, 1_000).work());
    assertNull(queue.evictByBytes(second, 1_000), "it would be the heaviest itself");
    assertEquals(3, queue.size());
  }

  @Test
  void inAQueueOfTooManyRequestsRoomIsMadeByTheClientWithTheMost() {
    Client many = new Client(new Owner("many"));
    Client large = new Client(new Owner("large"));
    Client newcomer = new Client(new Owner("newcomer"));
    ScheduledRequest last = null;
    for (int i = 0; i < 10; i++) {
      last = TestWork.ofBytes(10);
      queue.add(many, last, 0);
    }
    queue.add(large, TestWork.ofBytes(1_000_000), 0);
    assertSame(last, queue.evictByCount(newcomer).work());
    assertNull(queue.evictByCount(many), "it has the most itself");
  }

  @Test
  void aBlockedClientWaits() {
    Client client = new Client(new Owner("a"));
    queue.block(client, true, 0);
    add(client);
    assertNull(queue.peek());
    assertFalse(queue.isAnotherReady(new Client(new Owner("b"))));
    queue.block(client, false, 0);
    assertSame(client, queue.peek());
  }

  /** A client that does not read waits for itself, and its time begins when it reads. */
  @Test
  void aBlockedClientDoesNotWaitForTooLong() {
    Client client = new Client(new Owner("a"));
    queue.block(client, true, 5);
    queue.add(client, TestWork.ofBytes(1), 10);
    assertEquals(List.of(), queue.expire(100));
    queue.block(client, false, 110);
    assertEquals(List.of(), queue.expire(100));
    assertEquals(1, queue.expire(110).size());
  }

  /** A commit behind a statement that is not run would commit the rest. */
  @Test
  void nothingBeginsBehindARequestThatIsNotRun() {
    Client client = new Client(new Owner("a"));
    queue.add(client, TestWork.ofBytes(1), 10);
    FairQueue.Removed first = queue.expire(10).get(0);
    queue.add(client, TestWork.ofBytes(1), 11);
    assertNull(queue.peek());
    queue.mend(first.client());
    assertSame(client, queue.peek());
    queue.add(client, TestWork.ofBytes(1), 12);
    assertEquals(client, queue.evictByCount(new Client(new Owner("b"))).client());
    assertNull(queue.peek());
  }

  /** Q6: the statements and the commit of a transaction do not wait for a query of its owner. */
  @Test
  void requestsOfSessionsBeginAndDoNotCount() {
    Owner owner = new Owner("a");
    Client queries = new Client(owner);
    Client transaction = new Client(owner);
    queue.limit(owner, new OwnerLimits(0, 1, 0));
    add(queries);
    ScheduledRequest query = queue.take(queries);
    queue.prepared(queries);
    add(queries);
    assertNull(queue.peek());
    queue.add(transaction, TestWork.ofBytes(10).inSession(true), 0);
    add(transaction); // behind it, and no part of it
    assertTrue(queue.isAnotherReady(queries));
    assertFalse(queue.isAnotherReady(transaction));
    assertSame(transaction, queue.peek());
    ScheduledRequest statement = queue.take(transaction);
    queue.prepared(transaction);
    assertNull(queue.peek());
    queue.ended(queries, query);
    assertSame(queries, queue.peek(), "a statement that runs does not count");
    query = queue.take(queries);
    queue.prepared(queries);
    queue.ended(transaction, statement);
    assertNull(queue.peek(), "nor does its end");
    queue.ended(queries, query);
    assertSame(transaction, queue.peek());
    assertFalse(owner.isIdle());
  }

  /**
   * A commit that waits for the disk takes no thread, so the time in which it does is not saved.
   */
  @Test
  void anOwnerWhoseCommitsWaitForTheDiskSavesUpNoTime() {
    Client writer = new Client(new Owner("writer"));
    Client other = new Client(new Owner("other"));
    queue.waitsForAnswer(writer); // one of its requests always waits
    for (int i = 0; i < 100; i++) {
      add(other);
      run(other, 100);
      queue.waitsForAnswer(writer);
      queue.charge(writer, 1);
      queue.answered(writer);
    }
    int writes = 0;
    for (int i = 0; i < 10; i++) {
      add(writer);
      add(other);
    }
    while (queue.peek() == writer) {
      run(writer, 100);
      writes++;
    }
    assertTrue(writes <= 2, "requests that came first: " + writes);
    assertFalse(writer.owner.isWithoutRequests());
  }

  private void run(Client client, long nanos) {
    assertSame(client, queue.peek());
    ScheduledRequest taken = queue.take(client);
    queue.prepared(client);
    queue.charge(client, nanos);
    queue.ended(client, taken);
  }

  @Test
  void anOwnerThatIsHeldBackComesLast() {
    Client held = new Client(new Owner("held"));
    Client other = new Client(new Owner("other"));
    add(held);
    queue.hold(held.owner, true);
    assertSame(held, queue.peek());
    assertTrue(queue.isAnotherReady(other));
    add(other);
    assertSame(other, queue.peek());
    assertTrue(queue.isAnotherReady(other));
    queue.letHeldBegin(false);
    assertFalse(queue.isAnotherReady(other));
    assertFalse(queue.isHeldBack());
    queue.clear(other);
    assertNull(queue.peek());
    assertTrue(queue.isHeldBack());
    queue.hold(held.owner, false);
    assertSame(held, queue.peek());
  }
}
