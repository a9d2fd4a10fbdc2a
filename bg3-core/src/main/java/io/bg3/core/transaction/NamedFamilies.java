package io.bg3.core.transaction;

import io.bg3.core.entry.EdgeKey;
import io.bg3.core.tree.FamilySettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The families of edge labels that have a name, in memory: numbers, names and settings (R51).
 * Families without a name are those of the labels with one time to live ({@link CodeTable}); both
 * have their numbers from 1 to {@link EdgeKey#MAX_FAMILY}, each given once.
 *
 * <p>A name stands in the DICTIONARY tree: key is kind 7 and the number as 4 bytes, big-endian;
 * value is the name in UTF-8. It keeps releases from opening the store that know no such families.
 * The settings stand in the META tree ({@link FamilySettings#key}).
 *
 * <p>Threads: any may look; the exclusive lock of the codes is held to add.
 */
final class NamedFamilies {
  private static final byte KIND = 7;

  private record Named(String name, FamilySettings settings) {}

  private final Map<Integer, Named> byNumber = new ConcurrentSkipListMap<>();

  /** The key of a family's name in the DICTIONARY tree. */
  static byte[] key(int family) {
    byte[] key = CodeTable.key(Dictionary.Kind.EDGE_LABEL, family);
    key[0] = KIND;
    return key;
  }

  static boolean isKey(byte[] key) {
    return key.length == CodeTable.KEY_LENGTH && key[0] == KIND;
  }

  /** Says what a family is from now on. */
  void put(int family, String name, FamilySettings settings) {
    byNumber.put(family, new Named(name, settings));
  }

  /** Whether a family has a name. */
  boolean has(int family) {
    return byNumber.containsKey(family);
  }

  /** The family with a name; 0 if there is none. */
  int find(String name) {
    for (Map.Entry<Integer, Named> each : byNumber.entrySet()) {
      if (each.getValue().name.equals(name)) {
        return each.getKey();
      }
    }
    return 0;
  }

  /** The name of a family; null if it has none. */
  String name(int family) {
    Named named = byNumber.get(family);
    return named == null ? null : named.name;
  }

  /** The settings of a family that has a name. */
  FamilySettings settings(int family) {
    return byNumber.get(family).settings;
  }

  /** The highest number; 0 without families. */
  int last() {
    return byNumber.keySet().stream().mapToInt(family -> family).max().orElse(0);
  }

  /** Their numbers, ascending. */
  List<Integer> numbers() {
    return List.copyOf(byNumber.keySet());
  }
}
