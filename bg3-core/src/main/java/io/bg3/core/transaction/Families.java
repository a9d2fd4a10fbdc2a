package io.bg3.core.transaction;

import io.bg3.core.commit.Visibility;
import io.bg3.core.entry.EdgeKey;
import io.bg3.core.forest.TreeIds;
import io.bg3.core.keyspace.Trees;
import io.bg3.core.keyspace.WriteSet;
import io.bg3.core.limit.Limit;
import io.bg3.core.tree.FamilySettings;
import java.util.List;

/**
 * The families of edge labels that have a name, with their settings (R51). Each is made by a commit
 * of its own, before a label can be of it, and is never removed; its time to live never changes.
 *
 * <p>Threads: any.
 */
public final class Families {
  private final CodeTable codes;
  private final Committer committer;
  private final Visibility visibility;
  private final Trees trees;

  Families(CodeTable codes, Committer committer, Visibility visibility, Trees trees) {
    this.codes = codes;
    this.committer = committer;
    this.visibility = visibility;
    this.trees = trees;
  }

  /**
   * Makes a family. When it returns, every transaction sees it and, with {@link
   * io.bg3.core.commit.Durability#SYNC}, no crash takes it back.
   *
   * @return its number; 0 if there is one with the name, and nothing was done
   * @throws io.bg3.core.limit.LimitExceededException if the name is longer than 1,024 bytes in
   *     UTF-8, or all numbers of families are taken
   * @throws IllegalArgumentException if the name is empty or malformed
   * @throws io.bg3.core.commit.StoreFailedException if the store has stopped writing
   */
  public int define(String name, FamilySettings settings) {
    byte[] text = Dictionary.requireName(name);
    codes.lock().writeLock().lock();
    try {
      if (find(name) != 0) {
        return 0;
      }
      int family = codes.nextFamily();
      if (family > EdgeKey.MAX_FAMILY) {
        throw Limit.FAMILIES.exceeded(family, name);
      }
      trees.openFamily(family); // before the first label and the first entry
      WriteSet writes = new WriteSet();
      writes.add(TreeIds.DICTIONARY, NamedFamilies.key(family), text);
      writes.add(TreeIds.META, FamilySettings.key(family), settings.encode());
      visibility.awaitVisible(committer.commitAlone(writes).stamp);
      remember(family, name, settings);
      return family;
    } finally {
      codes.lock().writeLock().unlock();
    }
  }

  /**
   * Changes how pages of a family are written from now on.
   *
   * @param settings with the same time to live
   */
  public void change(int family, FamilySettings settings) {
    codes.lock().writeLock().lock();
    try {
      assert settings(family).ttlMillis() == settings.ttlMillis() : settings;
      WriteSet writes = new WriteSet();
      writes.add(TreeIds.META, FamilySettings.key(family), settings.encode());
      visibility.awaitVisible(committer.commitAlone(writes).stamp);
      remember(family, name(family), settings);
    } finally {
      codes.lock().writeLock().unlock();
    }
  }

  /** Puts a family that is in the log into memory; its number must not be used again. */
  private void remember(int family, String name, FamilySettings settings) {
    try {
      codes.addNamedFamily(family, name, settings);
      trees.configureFamily(family, settings);
    } catch (OutOfMemoryError e) {
      visibility.fail(e);
      throw e;
    }
  }

  /** The family with a name; 0 if there is none. */
  public int find(String name) {
    return codes.named().find(name);
  }

  /** The name of a family; null if it has none. */
  public String name(int family) {
    return codes.named().name(family);
  }

  /** The settings of a family that has a name. */
  public FamilySettings settings(int family) {
    return codes.named().settings(family);
  }

  /** The numbers of those that have a name, ascending. */
  public List<Integer> numbers() {
    return codes.named().numbers();
  }
}
