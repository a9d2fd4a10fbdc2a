package io.bg3.storage.log;

import io.bg3.storage.format.CorruptionException;
import java.io.IOException;

/**
 * Decides whether the log ends where a record is not valid or is damaged there: the rule T1 to T3
 * of the package. Open to tests, which break it to see that it matters.
 */
class TailValidator {
  /**
   * Judges the end of the valid records.
   *
   * @param chain the stream
   * @param position where the first record that is not valid would begin
   * @param manifest the durable position that the manifest claims
   * @param found what is wrong with the record
   * @throws CorruptionException if the log is damaged
   */
  final TornTail judge(SegmentChain chain, long position, long manifest, String found)
      throws IOException {
    TailScan scan = TailScan.of(chain, position);
    String evidence = evidence(chain, position, manifest, scan);
    if (evidence != null) {
      Segment segment = chain.at(position);
      throw new CorruptionException(
          chain.describe(segment),
          segment.offset(position),
          "a record at position " + position + ", since " + evidence,
          found);
    }
    return new TornTail(position, scan.used() - position);
  }

  /** The rule, T1, T2 or T3, that shows a log beyond {@code position}; null if none does. */
  String evidence(SegmentChain chain, long position, long manifest, TailScan scan) {
    if (manifest > position) {
      return "T1: the manifest claims durability to " + manifest;
    } else if (scan.claim() > position) {
      return "T2: the record at " + scan.claimant() + " claims durability to " + scan.claim();
    } else if (scan.headless() != null) {
      return "T3: " + chain.describe(scan.headless()) + " holds records but no header";
    }
    return null;
  }
}
