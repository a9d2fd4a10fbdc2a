package io.bg3.linkbench.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract that LinkBench expects of a store, for all of ours. */
public abstract class LinkDatabaseContract {
  private static final long TYPE = 123_456_789L;
  private static final int NODE = 2048;

  /** The store under test. */
  protected LinkDatabase database;

  private LinkSession session;

  /** Opens an empty store. */
  protected abstract LinkDatabase open() throws Exception;

  @BeforeEach
  void begin() throws Exception {
    database = open();
    session = database.session();
    session.resetNodes(1);
  }

  @AfterEach
  void end() {
    if (session != null) { // the store is there
      session.close();
      database.close();
    }
  }

  @Test
  void aLinkIsFoundWithAllItsFields() {
    byte[] data = new byte[255];
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) (i * 7);
    }
    LinkRow link = new LinkRow(1, TYPE, 2, LinkRow.VISIBLE, -3, 1_234_567_890_123L, data);
    assertTrue(session.addLink(link));
    assertEquals(link, session.link(1, TYPE, 2));
    assertNull(session.link(2, TYPE, 1));
    assertNull(session.link(1, TYPE + 1, 2));
    assertEquals(1, session.countLinks(1, TYPE));
    assertEquals(0, session.countLinks(2, TYPE));
    assertEquals(0, session.countLinks(1, TYPE + 1));
  }

  @Test
  void addingALinkAgainReplacesIt() {
    assertTrue(session.addLink(link(1, 2, 10)));
    LinkRow other = new LinkRow(1, TYPE, 2, LinkRow.VISIBLE, 9, 5, new byte[] {7});
    assertFalse(session.addLink(other));
    assertEquals(other, session.link(1, TYPE, 2));
    assertEquals(1, session.countLinks(1, TYPE));
    assertArrayEquals(new LinkRow[] {other}, all(1));
  }

  @Test
  void aHiddenLinkIsKeptButNeitherListedNorCounted() {
    session.addLink(link(1, 2, 10));
    session.addLink(link(1, 3, 20));
    assertTrue(session.deleteLink(1, TYPE, 2, false));
    assertEquals(link(1, 2, 10).hidden(), session.link(1, TYPE, 2));
    assertEquals(1, session.countLinks(1, TYPE));
    assertArrayEquals(new LinkRow[] {link(1, 3, 20)}, all(1));
    assertTrue(session.deleteLink(1, TYPE, 2, false), "it is there, though hidden");
    assertEquals(1, session.countLinks(1, TYPE));
    assertFalse(session.addLink(link(1, 2, 30)), "it was there, though hidden");
    assertEquals(2, session.countLinks(1, TYPE));
    assertArrayEquals(new LinkRow[] {link(1, 2, 30), link(1, 3, 20)}, all(1));
  }

  @Test
  void aLinkMayBeAddedHiddenAndBeHiddenByAdding() {
    session.addLink(link(1, 2, 10).hidden());
    assertEquals(0, session.countLinks(1, TYPE));
    assertEquals(0, all(1).length);
    session.addLink(link(1, 2, 11));
    assertEquals(1, session.countLinks(1, TYPE));
    session.addLink(link(1, 2, 12).hidden());
    assertEquals(0, session.countLinks(1, TYPE));
    assertEquals(link(1, 2, 12).hidden(), session.link(1, TYPE, 2));
  }

  @Test
  void anExpungedLinkIsGone() {
    session.addLink(link(1, 2, 10));
    session.addLink(link(1, 3, 10).hidden());
    assertTrue(session.deleteLink(1, TYPE, 2, true));
    assertTrue(session.deleteLink(1, TYPE, 3, true));
    assertFalse(session.deleteLink(1, TYPE, 3, true));
    assertFalse(session.deleteLink(1, TYPE, 4, false));
    assertNull(session.link(1, TYPE, 2));
    assertEquals(0, session.countLinks(1, TYPE));
    assertEquals(0, all(1).length);
  }

  @Test
  void severalLinksAreFoundByTheirEnds() {
    session.addLink(link(1, 2, 10));
    session.addLink(link(1, 3, 20).hidden());
    session.addLink(link(1, 5, 30));
    Set<LinkRow> found = new HashSet<>(Arrays.asList(session.links(1, TYPE, 2, 3, 4)));
    assertEquals(Set.of(link(1, 2, 10), link(1, 3, 20).hidden()), found);
    assertEquals(0, session.links(1, TYPE, 77).length);
    assertEquals(0, session.links(9, TYPE, 2).length);
  }

  @Test
  void aListIsNewestFirstWithinItsTimesAfterAnOffsetUpToALimit() {
    for (int i = 0; i < 100; i++) {
      session.addLink(link(1, i, (i * 37L) % 100));
    }
    session.deleteLink(1, TYPE, 1, false); // time 37
    assertEquals("99 98 97", times(session.linkList(1, TYPE, 0, Long.MAX_VALUE, 0, 3)));
    assertEquals("97 96", times(session.linkList(1, TYPE, 0, Long.MAX_VALUE, 2, 2)));
    assertEquals("39 38 36 35", times(session.linkList(1, TYPE, 35, 39, 0, 100)));
    assertEquals("36 35", times(session.linkList(1, TYPE, 35, 39, 2, 100)));
    assertEquals("", times(session.linkList(1, TYPE, 37, 37, 0, 100)));
    assertEquals("", times(session.linkList(1, TYPE, 0, 10, 50, 100)));
    assertEquals("", times(session.linkList(1, TYPE, 50, 40, 0, 100)));
    assertEquals(99, all(1).length);
  }

  @Test
  void linksOfOneTimeAreAllListed() {
    IntStream.range(0, 50).forEach(id2 -> session.addLink(link(1, id2, 5)));
    LinkRow[] list = session.linkList(1, TYPE, 5, 5, 0, 1_000);
    assertEquals(50, Arrays.stream(list).mapToLong(LinkRow::id2).distinct().count());
    assertEquals(20, session.linkList(1, TYPE, 0, 10, 10, 20).length);
  }

  @Test
  void nodesGetConsecutiveIdsFromTheStartAfterAReset() {
    session.resetNodes(1_000);
    assertArrayEquals(new long[] {1_000, 1_001}, session.addNodes(List.of(node(7), node(8))));
    assertArrayEquals(new long[] {1_002}, session.addNodes(List.of(node(7))));
    session.resetNodes(5);
    assertNull(session.node(NODE, 1_000));
    assertArrayEquals(new long[] {5}, session.addNodes(List.of(node(7))));
  }

  @Test
  void aResetLeavesTheLinks() {
    session.addLink(link(1, 2, 10));
    session.resetNodes(1);
    assertEquals(1, session.countLinks(1, TYPE));
    assertEquals(link(1, 2, 10), session.link(1, TYPE, 2));
  }

  @Test
  void aNodeIsFoundByIdAndType() {
    long id = session.addNodes(List.of(node(1)))[0];
    assertEquals(node(1).withId(id), session.node(NODE, id));
    assertNull(session.node(NODE + 1, id));
    assertNull(session.node(NODE, id + 1));
    NodeRow other = new NodeRow(id, NODE, Long.MAX_VALUE, -5, new byte[5_000]);
    assertTrue(session.updateNode(other));
    assertEquals(other, session.node(NODE, id));
    assertFalse(session.updateNode(new NodeRow(id, NODE + 1, 1, 1, new byte[0])));
    assertFalse(session.updateNode(node(1).withId(id + 1)));
    assertEquals(other, session.node(NODE, id));
  }

  @Test
  void aRemovedNodeIsGoneAndItsLinksStay() {
    long id = session.addNodes(List.of(node(1)))[0];
    session.addLink(link(id, 2, 10));
    session.addLink(link(2, id, 10));
    assertFalse(session.deleteNode(NODE + 1, id));
    assertTrue(session.deleteNode(NODE, id));
    assertFalse(session.deleteNode(NODE, id));
    assertNull(session.node(NODE, id));
    assertEquals(1, session.countLinks(id, TYPE));
    assertEquals(1, session.countLinks(2, TYPE));
    assertEquals(id + 1, session.addNodes(List.of(node(1)))[0]);
  }

  @Test
  void bulkLinksAreCountedOnceTheirCountsAreSet() {
    List<LinkRow> links = LongStream.range(0, 10).mapToObj(i -> link(3, i, i)).toList();
    session.addLinks(links);
    session.addLinks(links.subList(0, 3)); // there already
    session.setCounts(List.of(new CountRow(3, TYPE, 9, 0, 10)));
    assertEquals(10, session.countLinks(3, TYPE));
    assertEquals("9 8 7", times(session.linkList(3, TYPE, 0, Long.MAX_VALUE, 0, 3)));
    session.deleteLink(3, TYPE, 9, false);
    session.addLink(link(3, 11, 11));
    session.addLink(link(3, 12, 12));
    assertEquals(11, session.countLinks(3, TYPE));
  }

  @Test
  void countsAgreeWithLinksWhereManyThreadsWriteTheSame() throws InterruptedException {
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      int seed = t;
      threads[t] = new Thread(() -> write(seed));
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (long id1 = 0; id1 < 3; id1++) {
      assertEquals(all(id1).length, session.countLinks(id1, TYPE), "id1=" + id1);
    }
    long[] ids = session.addNodes(List.of(node(1)));
    assertEquals(1 + 4 * 50, ids[0], "ids without gaps");
  }

  private void write(int seed) {
    try (LinkSession own = database.session()) {
      Random random = new Random(seed);
      for (int i = 0; i < 300; i++) {
        long id1 = random.nextInt(3);
        long id2 = random.nextInt(10);
        if (random.nextInt(3) == 0) {
          own.deleteLink(id1, TYPE, id2, random.nextBoolean());
        } else {
          own.addLink(link(id1, id2, random.nextInt(50)));
        }
        if (i % 6 == 0) {
          own.addNodes(List.of(node(i)));
        }
      }
    }
  }

  private LinkRow[] all(long id1) {
    return session.linkList(id1, TYPE, 0, Long.MAX_VALUE, 0, 10_000);
  }

  private static LinkRow link(long id1, long id2, long time) {
    return new LinkRow(id1, TYPE, id2, LinkRow.VISIBLE, 1, time, new byte[] {1, (byte) id2});
  }

  private static NodeRow node(int n) {
    return new NodeRow(-1, NODE, n, 1_700_000_000, new byte[] {(byte) n, 0, -1});
  }

  private static String times(LinkRow... links) {
    return Arrays.stream(links)
        .map(link -> Long.toString(link.time()))
        .reduce((a, b) -> a + " " + b)
        .orElse("");
  }
}
