package io.bg3;

import io.bg3.core.graph.EdgeFamily;
import java.util.ArrayList;
import java.util.List;

/**
 * The families of edge labels in a configuration: {@code events: ttl=3600000, page-capacity=32k;
 * follows: compression=zstd}.
 */
final class FamilyList {
  private FamilyList() {}

  /**
   * Reads a list.
   *
   * @throws IllegalArgumentException if it is none, or a setting is unknown or out of its range
   */
  static List<EdgeFamily> parse(String text) {
    List<EdgeFamily> families = new ArrayList<>();
    for (String part : text.split(";", -1)) {
      if (!part.isBlank()) {
        families.add(family(part));
      }
    }
    return families;
  }

  private static EdgeFamily family(String text) {
    int colon = text.indexOf(':');
    String name = (colon < 0 ? text : text.substring(0, colon)).strip();
    EdgeFamily family = new EdgeFamily(name);
    for (String each : colon < 0 ? new String[0] : text.substring(colon + 1).split(",", -1)) {
      int equals = each.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            "a setting of a family is NAME=VALUE: family=" + name + ", given=" + each.strip());
      }
      family = with(family, each.substring(0, equals).strip(), each.substring(equals + 1).strip());
    }
    return family;
  }

  private static EdgeFamily with(EdgeFamily family, String key, String value) {
    return switch (key) {
      case "ttl" -> family.withTtl(number(family, key, value));
      case "page-capacity" -> family.withPageCapacity(count(family, key, value));
      case "consolidate" -> family.withConsolidate(count(family, key, value));
      case "compression" -> family.withCompression(value);
      case "split-out" -> family.withSplitOut(count(family, key, value));
      default ->
          throw new IllegalArgumentException(
              "a family has no such setting: family="
                  + family.name()
                  + ", setting="
                  + key
                  + ", known=[ttl, page-capacity, consolidate, split-out, compression]");
    };
  }

  /** A number, or the largest one where it does not fit, which is out of each range. */
  private static int count(EdgeFamily family, String key, String value) {
    return (int) Math.min(number(family, key, value), Integer.MAX_VALUE);
  }

  private static long number(EdgeFamily family, String key, String value) {
    try {
      return Settings.parseBytes(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "not a number: family=" + family.name() + ", setting=" + key + ", given=" + value, e);
    }
  }
}
