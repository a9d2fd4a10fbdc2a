package io.bg3.linkbench.remote;

import io.bg3.batch.BatchTexts;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The labels and property keys that all sessions share, and the label of each type of links and
 * nodes: its number as a text.
 *
 * <p>Threads: any.
 */
final class LinkTexts {
  /** The keys of properties. */
  static final String VERSION = "version";

  static final String TIME = "time";
  static final String DATA = "data";

  private final BatchTexts texts = new BatchTexts();
  private final Map<Long, String> labels = new ConcurrentHashMap<>();

  LinkTexts() {
    texts.number(VERSION);
    texts.number(TIME);
    texts.number(DATA);
  }

  BatchTexts texts() {
    return texts;
  }

  String label(long type) {
    String label = labels.get(type);
    return label == null ? labels.computeIfAbsent(type, each -> Long.toString(each)) : label;
  }
}
