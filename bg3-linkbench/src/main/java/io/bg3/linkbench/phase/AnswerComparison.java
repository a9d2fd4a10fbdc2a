package io.bg3.linkbench.phase;

import io.bg3.linkbench.model.LinkRow;
import io.bg3.linkbench.model.LinkSession;
import io.bg3.linkbench.workload.Request;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/** Says whether two stores that hold the same have answered a request alike. */
final class AnswerComparison {
  private AnswerComparison() {}

  /**
   * The fault of an answer, null if there is none.
   *
   * @param model a store in the state in which it was asked
   */
  static String difference(Request request, Object expected, Object answer, LinkSession model) {
    if (request instanceof Request.ListLinks) {
      return list((LinkRow[]) expected, (LinkRow[]) answer, model);
    }
    if (request instanceof Request.GetLinks) {
      Set<LinkRow> wanted = new HashSet<>(Arrays.asList((LinkRow[]) expected));
      Set<LinkRow> got = new HashSet<>(Arrays.asList((LinkRow[]) answer));
      return wanted.equals(got) ? null : "expected=" + wanted + ", answer=" + got;
    }
    return Objects.equals(expected, answer) ? null : "expected=" + expected + ", answer=" + answer;
  }

  /**
   * Links of one time may come in any order, and where the limit cuts through them any may be left
   * out. So the times have to be the same, place by place, and each link has to be one of the
   * model's and not to be there twice.
   */
  private static String list(LinkRow[] expected, LinkRow[] answer, LinkSession model) {
    if (expected.length != answer.length) {
      return "expected links=" + expected.length + ", links=" + answer.length;
    }
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < answer.length; i++) {
      LinkRow link = answer[i];
      if (link.time() != expected[i].time()) {
        return "at=" + i + ", expected=" + expected[i] + ", link=" + link;
      }
      LinkRow known = model.link(link.id1(), link.type(), link.id2());
      if (!link.equals(known) || !link.isVisible()) {
        return "at=" + i + ", expected=" + known + ", link=" + link;
      }
      if (!seen.add(link.id2())) {
        return "twice: at=" + i + ", link=" + link;
      }
    }
    return null;
  }
}
