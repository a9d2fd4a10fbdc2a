package io.bg3.storage.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A disk in memory that forgets and fails as real ones do, and worse. It knows what was synced; a
 * power cut keeps any part of the rest:
 *
 * <ul>
 *   <li>of the writes since a file's last sync, any set of 512-byte sectors, some of them torn,
 *       with or without the new length,
 *   <li>of the creates, renames and deletes since the last sync of the directory, any set, each
 *       whole.
 * </ul>
 *
 * <p>A test plans one mishap per disk, runs the code under test until it happens or the work is
 * done, and goes on with the disk that {@link #crash} (power cut: the unsynced may be lost) or
 * {@link #kill} (the process died: all that was written is still there, and still not synced)
 * returns. The old disk is dead from then on.
 *
 * <pre>
 *  operation    counted for cutAtWrite   counted for failAt
 *  write, zero, truncate, sync, create, rename, delete, syncDirectory    yes   yes
 *  read, open, list, exists, size, usableBytes                           no    yes
 * </pre>
 *
 * <p>It asserts the caller's side too: a file that is renamed is not open.
 *
 * <p>A sync of a file that fails drops its pages: some are on the disk, the process and the next
 * one still see all, no later sync writes them. A sync of the directory that fails changes nothing;
 * file systems that fail there write nothing any more.
 *
 * <p>Not modelled: a torn write that destroys neighbouring bytes which were synced before, and
 * sectors that cannot be read.
 *
 * <p>Threads: any; one lock guards everything.
 */
public final class CrashingDisk implements Disk {
  /** Why a call fails. */
  public enum Fault {
    /** The device fails; a failed sync drops the pages. */
    EIO("Input/output error"),
    /** There is no space; writes may have been done in part. */
    ENOSPC("No space left on device");

    private final String message;

    Fault(String message) {
      this.message = message;
    }
  }

  /** A change to the directory: removes a name, or gives one, or both in one step. */
  private record Entry(String removed, String put, CrashingInode inode) {}

  private final Sites sites;
  private final Random random;
  private final Map<String, CrashingInode> files;
  private final Map<String, CrashingInode> durable;
  private final List<Entry> pending;
  private boolean dead;
  private long writes;
  private long operations;
  private long cutAt = Long.MAX_VALUE;
  private String cutAtSite;
  private long cutAtPass;
  private long failAt = Long.MAX_VALUE;
  private boolean failForever;
  private Fault fault;
  private String cutSite;
  private long faults;
  private long usable = Long.MAX_VALUE;

  /** An empty disk that counts its sites for itself. */
  public CrashingDisk() {
    this(new Sites(), new Random(0));
  }

  /**
   * An empty disk.
   *
   * @param sites counts where files are changed
   * @param random draws how much of a failing call is done
   */
  public CrashingDisk(Sites sites, Random random) {
    this(sites, random, new TreeMap<>(), new HashMap<>(), new ArrayList<>());
  }

  private CrashingDisk(
      Sites sites,
      Random random,
      Map<String, CrashingInode> files,
      Map<String, CrashingInode> durable,
      List<Entry> pending) {
    this.sites = sites;
    this.random = random;
    this.files = files;
    this.durable = durable;
    this.pending = pending;
  }

  // ---- What the test plans.

  /** Cuts the power in the {@code n}-th write-class operation from now on, counted from 1. */
  public synchronized void cutAtWrite(long n) {
    cutAt = writes + n;
  }

  /**
   * Cuts the power when a site that changes files is passed for the {@code n}-th time from now on,
   * counted from 1.
   */
  public synchronized void cutAtSite(String site, long n) {
    cutAtSite = site;
    cutAtPass = n;
  }

  /**
   * Lets the {@code n}-th operation of any kind from now on fail, counted from 1.
   *
   * @param forever whether all later ones fail too
   */
  public synchronized void failAt(long n, Fault kind, boolean forever) {
    failAt = operations + n;
    fault = kind;
    failForever = forever;
  }

  /** Says how many bytes the disk answers that it has left; it takes more all the same. */
  public synchronized void answerUsable(long bytes) {
    usable = bytes;
  }

  /** Ends all planned mishaps; what has happened stays. */
  public synchronized void heal() {
    cutAt = Long.MAX_VALUE;
    cutAtSite = null;
    failAt = Long.MAX_VALUE;
  }

  /** Inverts one bit of a file, on the disk. */
  public synchronized void flipBit(String name, long bit) {
    byte[] value = content(name, bit / Byte.SIZE, 1);
    value[0] ^= (byte) (1 << (bit % Byte.SIZE));
    damage(name, bit / Byte.SIZE, value);
  }

  /** Replaces bytes of a file, on the disk. */
  public synchronized void damage(String name, long position, byte[] bytes) {
    long size = inode(name).current().size();
    if (position + bytes.length > size) {
      throw new IllegalArgumentException(
          "nothing there to damage: position=" + position + ", size=" + size);
    }
    inode(name).damage(position, bytes);
  }

  // ---- What the test asks.

  /** How many write-class operations there were. */
  public synchronized long writes() {
    return writes;
  }

  /** How many operations there were. */
  public synchronized long operations() {
    return operations;
  }

  /** Whether the power was cut. */
  public synchronized boolean isCut() {
    return cutSite != null;
  }

  /** Where the power was cut, or null. */
  public synchronized String cutSite() {
    return cutSite;
  }

  /** How many operations were made to fail. */
  public synchronized long faults() {
    return faults;
  }

  /** Where this disk's changes are counted. */
  public Sites sites() {
    return sites;
  }

  /** How many files are open that still have a name. */
  public synchronized int openFiles() {
    return files.values().stream().mapToInt(CrashingInode::handles).sum();
  }

  /** Bytes of a file, as the process sees them. */
  public synchronized byte[] content(String name, long position, int length) {
    byte[] bytes = new byte[length];
    inode(name).current().read(ByteBuffer.wrap(bytes), position);
    return bytes;
  }

  // ---- What happens.

  /** The power is cut, if it was not: returns what the disk has when it is back. */
  public synchronized CrashingDisk crash(Random outcome) {
    die("crash");
    Map<String, CrashingInode> names = new HashMap<>(durable);
    int manner = outcome.nextInt(4);
    int prefix = outcome.nextInt(pending.size() + 1);
    for (int i = 0; i < pending.size(); i++) {
      boolean kept =
          switch (manner) {
            case 0 -> false;
            case 1 -> true;
            case 2 -> i < prefix;
            default -> outcome.nextBoolean();
          };
      if (kept) {
        apply(pending.get(i), names);
      }
    }
    Map<String, CrashingInode> survivors = new TreeMap<>();
    for (Map.Entry<String, CrashingInode> file : new TreeMap<>(names).entrySet()) {
      survivors.put(file.getKey(), file.getValue().crash(outcome));
    }
    return new CrashingDisk(sites, random, survivors, new HashMap<>(survivors), new ArrayList<>());
  }

  /**
   * The process dies, if it has not: returns the same disk for the next one, with nothing more
   * synced than before.
   */
  public synchronized CrashingDisk kill() {
    die("kill");
    files.values().forEach(CrashingInode::abandoned);
    return new CrashingDisk(sites, random, files, durable, pending);
  }

  private void die(String how) {
    dead = true;
    if (cutSite == null) {
      cutSite = how;
    }
  }

  // ---- The disk.

  @Override
  public synchronized DiskFile create(String name) throws IOException {
    boolean cut = change("create");
    if (files.containsKey(FileNames.checked(name))) {
      throw new FileAlreadyExistsException(describe(name));
    }
    CrashingInode inode = new CrashingInode();
    enter(new Entry(null, name, inode), cut);
    return new CrashingFile(this, name, inode);
  }

  @Override
  public synchronized DiskFile open(String name) throws IOException {
    look("open");
    return new CrashingFile(this, name, existing(name));
  }

  @Override
  public synchronized boolean exists(String name) throws IOException {
    look("exists");
    return files.containsKey(name);
  }

  @Override
  public synchronized List<String> list() throws IOException {
    look("list");
    return new ArrayList<>(files.keySet());
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    boolean cut = change("delete");
    existing(name);
    enter(new Entry(name, null, null), cut);
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    boolean cut = change("rename");
    CrashingInode inode = existing(from);
    assert inode.handles() == 0 : "renamed while open: " + from;
    enter(new Entry(from, FileNames.checked(to), inode), cut);
  }

  @Override
  public synchronized void syncDirectory() throws IOException {
    if (change("syncDirectory")) {
      throw powerCut();
    }
    settle();
  }

  @Override
  public synchronized long usableBytes() throws IOException {
    look("usableBytes");
    return usable;
  }

  @Override
  public String describe(String name) {
    return "crashing:" + name;
  }

  @Override
  public void close() {}

  // ---- For open files.

  /** Draws how many bytes of a failing write are done. */
  int partOf(int length) {
    return random.nextInt(length + 1);
  }

  Random random() {
    return random;
  }

  /** Whether handles of this disk belong to a process that is gone. */
  boolean isDead() {
    return dead;
  }

  /** Counts a look at the disk, which may be planned to fail. Called under the lock. */
  void look(String operation) throws IOException {
    step(operation, false, false);
  }

  /**
   * Counts a change, which may be planned to fail. Called under the lock.
   *
   * @return whether the power is cut in it: the caller notes the change as unsynced and throws
   *     {@link #powerCut}
   */
  boolean change(String operation) throws IOException {
    writes++;
    return step(operation, true, writes == cutAt);
  }

  PowerCut powerCut() {
    return new PowerCut(cutSite);
  }

  private boolean step(String operation, boolean changes, boolean cut) throws IOException {
    if (dead) {
      throw new PowerCut(cutSite);
    }
    operations++;
    boolean named = changes || failAt != Long.MAX_VALUE; // to find the name of a site takes long
    String site = named ? sites.pass(operation, changes) : operation;
    if (cut || (changes && site.equals(cutAtSite) && --cutAtPass == 0)) {
      dead = true;
      cutSite = site;
      sites.cut(site);
      return true;
    }
    if (operations == failAt || (failForever && operations > failAt)) {
      faults++;
      sites.failed(site);
      throw new IOException(fault.message + ": site=" + site);
    }
    return false;
  }

  private void enter(Entry entry, boolean cut) {
    apply(entry, files);
    pending.add(entry);
    if (cut) {
      throw powerCut();
    }
  }

  private void settle() {
    pending.forEach(entry -> apply(entry, durable));
    pending.clear();
  }

  private static void apply(Entry entry, Map<String, CrashingInode> names) {
    if (entry.removed != null) {
      names.remove(entry.removed);
    }
    if (entry.put != null) {
      names.put(entry.put, entry.inode);
    }
  }

  private CrashingInode existing(String name) throws NoSuchFileException {
    CrashingInode inode = files.get(FileNames.checked(name));
    if (inode == null) {
      throw new NoSuchFileException(describe(name));
    }
    return inode;
  }

  private CrashingInode inode(String name) {
    CrashingInode inode = files.get(name);
    if (inode == null) {
      throw new IllegalArgumentException("no such file: name=" + name);
    }
    return inode;
  }
}
