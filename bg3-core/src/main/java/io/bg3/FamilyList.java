package io.bg3;

import io.bg3.core.graph.EdgeFamily;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The families of edge labels in {@code bg3.families}: {@code events: ttl=3600000,
 * page-capacity=32k; follows: compression=zstd}. Only a page capacity takes a unit of bytes.
 *
 * <p>The list is read strictly, because a family and its time to live cannot be removed: a name has
 * no equals sign and no comma, which a forgotten colon or semicolon puts there, and no family and
 * no setting of a family is given twice.
 */
final class FamilyList {
  private static final String FORM =
      "write families separated by semicolons, each NAME: SETTING=VALUE, SETTING=VALUE";

  private FamilyList() {}

  /**
   * Reads a list.
   *
   * @throws IllegalArgumentException if it is none, or a setting is unknown, given twice or out of
   *     its range
   */
  static List<EdgeFamily> parse(String text) {
    List<EdgeFamily> families = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String part : text.split(";", -1)) {
      if (!part.isBlank()) {
        EdgeFamily family = family(part.strip());
        if (!names.add(family.name())) {
          throw invalid("a family is given twice, give it once: family=" + family.name(), null);
        }
        families.add(family);
      }
    }
    return families;
  }

  private static EdgeFamily family(String text) {
    int colon = text.indexOf(':');
    String name = (colon < 0 ? text : text.substring(0, colon)).strip();
    if (name.isEmpty()) {
      throw invalid("a family has no name; " + FORM + ": given=" + text, null);
    }
    if (name.indexOf('=') >= 0 || name.indexOf(',') >= 0) {
      throw invalid(
          "the name of a family has an equals sign or a comma; a colon or a semicolon may be"
              + " missing; "
              + FORM
              + ": given="
              + text,
          null);
    }
    EdgeFamily family = inRange("family=" + name, () -> new EdgeFamily(name));
    Set<String> keys = new HashSet<>();
    for (String each : colon < 0 ? new String[0] : text.substring(colon + 1).split(",", -1)) {
      int equals = each.indexOf('=');
      if (equals < 0) {
        throw invalid(
            "a setting of a family is NAME=VALUE: family=" + name + ", given=" + each.strip(),
            null);
      }
      String key = each.substring(0, equals).strip();
      if (!keys.add(key)) {
        throw invalid(
            "a setting of a family is given twice, give it once: family="
                + name
                + ", setting="
                + key,
            null);
      }
      family = with(family, key, each.substring(equals + 1).strip());
    }
    return family;
  }

  private static EdgeFamily with(EdgeFamily family, String key, String value) {
    String given = "family=" + family.name() + ", " + key + "=" + value;
    switch (key) {
      case "ttl" -> {
        long millis =
            whole(value, given, "a whole number of milliseconds, as ttl=60000 for one minute");
        return inRange(given, () -> family.withTtl(millis));
      }
      case "page-capacity" -> {
        int bytes = count(bytes(value, given));
        return inRange(given, () -> family.withPageCapacity(bytes));
      }
      case "consolidate" -> {
        int entries = count(whole(value, given, "a whole number of entries"));
        return inRange(given, () -> family.withConsolidate(entries));
      }
      case "compression" -> {
        return inRange(given, () -> family.withCompression(value));
      }
      case "split-out" -> {
        int entries = count(whole(value, given, "a whole number of entries"));
        return inRange(given, () -> family.withSplitOut(entries));
      }
      default ->
          throw invalid(
              "a family has no such setting: "
                  + given
                  + ", known=[ttl, page-capacity, consolidate, split-out, compression]",
              null);
    }
  }

  /** The family with a setting; what EdgeFamily refuses is said with the key of the list. */
  private static EdgeFamily inRange(String given, Supplier<EdgeFamily> family) {
    try {
      return family.get();
    } catch (IllegalArgumentException e) {
      throw invalid(given + ": " + e.getMessage(), e);
    }
  }

  /** A number, or the largest one where it does not fit, which is out of each range. */
  private static int count(long number) {
    return (int) Math.min(number, Integer.MAX_VALUE);
  }

  private static long whole(String value, String given, String wanted) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw invalid("the value is not a number without a unit; write " + wanted + ": " + given, e);
    }
  }

  private static long bytes(String value, String given) {
    try {
      return Settings.parseBytes(value);
    } catch (IllegalArgumentException e) {
      throw invalid(
          "the value is not a number of bytes; write one as page-capacity=32k: " + given, e);
    }
  }

  private static IllegalArgumentException invalid(String problem, IllegalArgumentException cause) {
    return new IllegalArgumentException(Setting.FAMILIES.key() + " is invalid: " + problem, cause);
  }
}
