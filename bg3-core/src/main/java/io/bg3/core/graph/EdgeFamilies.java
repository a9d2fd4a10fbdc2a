package io.bg3.core.graph;

import io.bg3.core.transaction.Families;
import io.bg3.core.tree.FamilySettings;
import io.bg3.storage.codec.Compression;
import java.util.List;

/** The families of edge labels of a store; changes are serial. */
final class EdgeFamilies {
  private final Families families;

  EdgeFamilies(Families families) {
    this.families = families;
  }

  EdgeFamily define(EdgeFamily wanted) {
    FamilySettings settings = settings(wanted);
    if (families.define(wanted.name(), settings) != 0) {
      return wanted;
    }
    int number = families.find(wanted.name());
    if (!families.settings(number).equals(settings)) {
      throw new IllegalArgumentException(
          "the family has other settings; change them with bg3.families.change, except the time to"
              + " live, or define another family: defined=["
              + of(number)
              + "], wanted=["
              + wanted
              + "]");
    }
    return of(number);
  }

  EdgeFamily change(EdgeFamily wanted) {
    int number = families.find(wanted.name());
    if (number == 0) {
      throw new IllegalArgumentException(
          "there is no such family; define it with bg3.families.define first, or name one that"
              + " bg3.families.list shows: family="
              + wanted.name());
    }
    EdgeFamily now = of(number);
    if (now.ttlMillis() != wanted.ttlMillis()) {
      throw new IllegalArgumentException(
          "the time to live of a family cannot change, because the extents of its edges rely on it;"
              + " define another family: family="
              + wanted.name()
              + ", ttl="
              + now.ttlMillis()
              + ", wanted="
              + wanted.ttlMillis());
    }
    FamilySettings settings = settings(wanted);
    if (!families.settings(number).equals(settings)) {
      families.change(number, settings);
    }
    return of(number);
  }

  List<EdgeFamily> list() {
    return families.numbers().stream().map(this::of).toList();
  }

  private EdgeFamily of(int number) {
    FamilySettings settings = families.settings(number);
    Compression compression = settings.compression();
    return new EdgeFamily(
        families.name(number),
        settings.ttlMillis(),
        settings.pageCapacity(),
        settings.consolidate(),
        settings.splitOut(),
        compression == null ? "" : compression.text());
  }

  /**
   * @throws IllegalStateException if the codec's native library cannot be loaded
   */
  private static FamilySettings settings(EdgeFamily family) {
    Compression compression =
        family.compression().isEmpty() ? null : Compression.of(family.compression());
    if (compression != null) {
      compression.codec().require();
    }
    return new FamilySettings(
        family.ttlMillis(),
        family.pageCapacity(),
        family.consolidate(),
        family.splitOut(),
        compression);
  }
}
