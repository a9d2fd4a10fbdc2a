package io.bg3.torture;

import io.bg3.core.commit.OutcomeUnknownException;
import io.bg3.core.commit.StoreFailedException;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.transaction.ConflictException;
import io.bg3.core.transaction.Isolation;
import io.bg3.core.transaction.Transaction;
import io.bg3.core.transaction.TransactionManager;
import io.bg3.storage.file.PowerCut;
import io.bg3.storage.memory.MemoryExceededException;
import io.bg3.torture.Model.Place;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A client whose transactions make every structure grow and shrink: byte keys and edges, with sort
 * keys and without, small values and large ones, runs of inserts that split pages, removals of
 * whole ranges that empty them, a total that counts what there is, and a counter of the out-edges
 * of every owner.
 *
 * <p>Its keys begin with its number, so clients share pages and never keys.
 */
public final class ModelClient {
  private static final int KEYS = 60;
  private static final int OWNERS = 6;
  private static final int OTHERS = 20;
  private static final int SORT_KEYS = 10;
  static final int[] TREES = {TreeIds.VERTICES, TreeIds.EXTERNAL_IDS};
  private static final int LABEL = 3;

  /** The space of totals in a {@link Place}. */
  static final int TOTALS = -1;

  /** Orders what clients do; each look moves it on. */
  private static final AtomicLong CLOCK = new AtomicLong();

  /** Degrees that were kept and have been compared, by all clients. */
  static final LongAdder DEGREES = new LongAdder();

  private final int number;
  private final int otherLabel;
  private final Model model = new Model();
  private final boolean synced;
  private final Random random;

  /**
   * @param synced whether commits of the store are durable when they return
   */
  public ModelClient(int number, boolean synced, long seed) {
    this(number, synced, seed, LABEL);
  }

  /**
   * A client that gives half of its edges another label.
   *
   * @param label which may be of a family that the store has
   */
  ModelClient(int number, boolean synced, long seed, int label) {
    this.number = number;
    this.synced = synced;
    this.otherLabel = label;
    this.random = new Random(seed * 31 + number);
  }

  int number() {
    return number;
  }

  Model model() {
    return model;
  }

  /** Does so many transactions, fewer if the store stops. */
  public void steps(TransactionManager transactions, int count) {
    for (int i = 0; i < count && step(transactions); i++) {}
  }

  /** Compares what was found after a crash; says what is wrong, null if nothing is. */
  public String settle(Found found) {
    return model.settle(found.of(number));
  }

  /**
   * Does one transaction.
   *
   * @return false if the store has stopped
   */
  boolean step(TransactionManager transactions) {
    Transaction transaction;
    model.begin(CLOCK.incrementAndGet());
    try {
      transaction = transactions.begin(Isolation.STRICT, false);
    } catch (IllegalStateException | StoreFailedException closed) {
      return false;
    }
    try {
      int parts = 1 + random.nextInt(3);
      for (int i = 0; i < parts; i++) {
        work(transaction);
      }
      if (random.nextInt(4) == 0) {
        askDegrees(transaction);
      }
      if (random.nextInt(20) == 0) {
        transaction.rollback();
        model.abort();
        return true;
      }
      count(transaction);
      transaction.commit();
      model.acknowledge(synced, CLOCK.incrementAndGet());
      return true;
    } catch (ConflictException | MemoryExceededException | UncheckedIOException e) {
      // The last one is of a page that could not be read, and comes before anything is logged.
      transaction.rollback();
      model.abort();
      return true;
    } catch (StoreFailedException | PowerCut e) { // the power may go while it reads a page, too
      model.abort();
      return false;
    } catch (OutcomeUnknownException e) {
      return false; // what is pending stays so
    }
  }

  private void work(Transaction transaction) {
    switch (random.nextInt(8)) {
      case 0, 1 -> puts(transaction, random.nextInt(KEYS), 1 + random.nextInt(4));
      case 2 -> puts(transaction, random.nextInt(KEYS), 10 + random.nextInt(20));
      case 3 -> removals(transaction, random.nextInt(KEYS), 1 + random.nextInt(40));
      case 4 -> edges(transaction, 1 + random.nextInt(6));
      case 5 -> sortedEdges(transaction, 1 + random.nextInt(8));
      case 6 -> edges(transaction, 12);
      default -> removeEdges(transaction);
    }
  }

  private void puts(Transaction transaction, int first, int count) {
    int tree = TREES[random.nextInt(TREES.length)];
    for (int i = 0; i < count; i++) {
      byte[] value = value();
      byte[] key = key(first + i);
      model.put(Place.of(tree, key), value);
      transaction.put(tree, key, value);
    }
  }

  private void removals(Transaction transaction, int first, int count) {
    int tree = TREES[random.nextInt(TREES.length)];
    for (int i = 0; i < count; i++) {
      byte[] key = key(first + i);
      if (model.get(Place.of(tree, key)) != null) {
        model.remove(Place.of(tree, key));
        transaction.delete(tree, key);
      }
    }
  }

  private void edges(Transaction transaction, int count) {
    long owner = owner();
    for (int i = 0; i < count; i++) {
      long other = ((long) number << 48) + 1 + random.nextInt(OTHERS);
      byte[] value = random.nextInt(3) == 0 ? value() : new byte[0];
      edge(transaction, owner, EdgeKey.OUT, other, value);
      edge(transaction, other, EdgeKey.IN, owner, new byte[0]);
    }
  }

  /** The tag and the label of the edge between two vertices. */
  private int tagLabel(int tag, long owner, long other) {
    return EdgeKey.tagLabel(tag, (owner + other) % 2 == 0 ? LABEL : otherLabel);
  }

  private void edge(Transaction transaction, long owner, int tag, long other, byte[] value) {
    int tagLabel = tagLabel(tag, owner, other);
    Place place = Place.of(0, EdgeKey.encode(owner, tagLabel, other, 0));
    if (tag == EdgeKey.OUT && model.get(place) == null) {
      countEdge(transaction, owner, 1);
    }
    model.put(place, value);
    transaction.putEdge(owner, tagLabel, other, 0, value);
  }

  /** Compares the degrees of an owner that are kept with the edges that there must be. */
  private void askDegrees(Transaction transaction) {
    long owner = owner();
    for (int tag : new int[] {EdgeKey.OUT, EdgeKey.IN, EdgeKey.INDEX}) {
      for (int label : new int[] {LABEL, otherLabel}) {
        int tagLabel = EdgeKey.tagLabel(tag, label);
        long degree = transaction.degree(owner, tagLabel, tagLabel);
        if (degree >= 0) {
          DEGREES.increment();
          String begin = Place.of(0, EdgeKey.prefix(owner, tagLabel)).key();
          long edges = model.countAfter(p -> p.space() == 0 && p.key().startsWith(begin));
          if (degree != edges) {
            throw new AssertionError(
                "a degree is not the number of edges: owner=%d, tag=%d, label=%d, %d, %d"
                    .formatted(owner, tag, label, degree, edges));
          }
        }
      }
    }
  }

  private void sortedEdges(Transaction transaction, int count) {
    long owner = owner();
    int tagLabel = EdgeKey.tagLabel(EdgeKey.INDEX, LABEL);
    for (int i = 0; i < count; i++) {
      long sortKey = (long) random.nextInt(SORT_KEYS) - SORT_KEYS / 2;
      long other = random.nextInt(OTHERS);
      byte[] value = random.nextInt(3) == 0 ? value() : new byte[0];
      model.put(Place.of(0, EdgeKey.encode(owner, tagLabel, sortKey, other, 0)), value);
      transaction.putEdge(owner, tagLabel, sortKey, other, 0, value);
    }
  }

  private void removeEdges(Transaction transaction) {
    byte[] prefix = EdgeKey.prefix(owner());
    String begin = Place.of(0, prefix).key();
    List<Place> there = new ArrayList<>();
    for (Place place : model.acknowledged().tailMap(Place.of(0, prefix)).keySet()) {
      if (place.space() != 0 || !place.key().startsWith(begin)) {
        break;
      }
      there.add(place);
    }
    for (Place place : there) {
      byte[] key = place.bytes();
      long owner = EdgeKey.owner(key);
      int tagLabel = EdgeKey.tagLabel(key);
      long other = EdgeKey.other(key);
      if (EdgeKey.tag(tagLabel) == EdgeKey.INDEX) {
        model.remove(place);
        transaction.deleteEdge(owner, tagLabel, EdgeKey.sortKey(key), other, 0);
      } else if (EdgeKey.tag(tagLabel) != EdgeKey.COUNTER) {
        removeEdge(transaction, owner, EdgeKey.OUT, other);
        removeEdge(transaction, other, EdgeKey.IN, owner);
      }
    }
  }

  private void removeEdge(Transaction transaction, long owner, int tag, long other) {
    int tagLabel = tagLabel(tag, owner, other);
    Place place = Place.of(0, EdgeKey.encode(owner, tagLabel, other, 0));
    if (tag == EdgeKey.OUT && model.get(place) != null) {
      countEdge(transaction, owner, -1);
    }
    model.remove(place);
    transaction.deleteEdge(owner, tagLabel, other, 0);
  }

  private void countEdge(Transaction transaction, long owner, int increment) {
    transaction.addCount(owner, LABEL, increment);
    int tagLabel = EdgeKey.tagLabel(EdgeKey.COUNTER, LABEL);
    Place place = Place.of(0, EdgeKey.encode(owner, tagLabel, 0, 0));
    byte[] before = model.get(place);
    int count = (before == null ? 0 : before[0]) + increment;
    if (count == 0) {
      model.remove(place);
    } else {
      model.put(place, new byte[] {(byte) count}); // never above OTHERS
    }
  }

  /** Brings the total up to what the store will hold of this client after the transaction. */
  private void count(Transaction transaction) {
    Place place = total(number);
    byte[] before = model.acknowledged().get(place);
    long now = model.countAfter(p -> p.space() != TOTALS);
    long delta = now - (before == null ? 0 : ByteBuffer.wrap(before).getLong());
    if (delta != 0) {
      transaction.addTotal(number, delta);
    }
    if (now == 0) {
      model.remove(place);
    } else {
      model.put(place, ByteBuffer.allocate(Long.BYTES).putLong(now).array());
    }
  }

  /** Where the total of a client stands. */
  static Place total(int client) {
    return Place.of(TOTALS, new byte[] {(byte) client});
  }

  /** Which client a byte key belongs to. */
  static int clientOf(int space, byte[] key) {
    return space == 0 ? (int) (EdgeKey.owner(key) >>> 48) : key[0];
  }

  private byte[] key(int index) {
    byte[] key = new byte[10];
    ByteBuffer.wrap(key).put((byte) number).putLong(index * 7L).put((byte) 'k');
    return key;
  }

  private long owner() {
    return ((long) number << 48) + 1 + random.nextInt(OWNERS);
  }

  private byte[] value() {
    byte[] value =
        new byte[random.nextInt(6) == 0 ? 70 + random.nextInt(200) : 1 + random.nextInt(40)];
    random.nextBytes(value);
    return value;
  }
}
