package io.bg3.server.dispatch;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Chooses the request that has to end when one more takes long and all places for such requests are
 * taken: the youngest one of the owner that holds the most places, and of its client that holds the
 * most; but no request loses its place to one whose side would then hold as many or more.
 *
 * <ul>
 *   <li>V1: an owner loses a place to another owner only if it holds at least two more, and a
 *       client to another client of the same owner likewise. So what is taken away is never taken
 *       back, and what an owner does alone can cost nobody else a place that is not a surplus.
 *   <li>V2: a newcomer whose client holds no place takes that of the oldest request, if that has
 *       run for {@value #AGED_SECONDS} seconds: owners of one place each do not keep others out for
 *       as long as they like. A younger request is not disturbed, so whatever needs less ends.
 *   <li>V3: the youngest quarter of the places, at least one, is contested. A newcomer whose client
 *       holds no place takes one of these from the client that has used more thread time than its
 *       own; between owners, from an owner that has used more and holds more places. So a client
 *       whose long queries are ended and sent again cannot keep out one that needs little. The
 *       other places stay with their requests, so that requests which need more end too.
 *   <li>V4: otherwise the newcomer itself has to end.
 * </ul>
 */
final class PreemptionPolicy {
  /** Seconds after which a request may lose its place to a client that has none. */
  static final int AGED_SECONDS = 10;

  private static final int SURPLUS = 2;

  /** This part of the places is contested (V3). */
  private static final int CONTESTED = 4;

  private PreemptionPolicy() {}

  /**
   * The request that has to end.
   *
   * @param newcomer takes long and has no place yet
   * @param holders have one each
   * @param now as {@link System#nanoTime}
   */
  static RunningRequest choose(
      RunningRequest newcomer, Collection<RunningRequest> holders, long now) {
    Map<Owner, Integer> ofOwners = count(holders.stream(), held -> held.client.owner);
    Owner own = newcomer.client.owner;
    Owner richest = richest(ofOwners, own);
    if (ofOwners.getOrDefault(richest, 0) >= ofOwners.getOrDefault(own, 0) + SURPLUS) {
      Client client = richest(count(of(holders, richest), held -> held.client), newcomer.client);
      return youngest(holders, client);
    }
    Map<Client, Integer> ofClients = count(of(holders, own), held -> held.client);
    Client client = richest(ofClients, newcomer.client);
    if (ofClients.getOrDefault(client, 0)
        >= ofClients.getOrDefault(newcomer.client, 0) + SURPLUS) { // V1
      return youngest(holders, client);
    }
    boolean holdsNone = holders.stream().noneMatch(held -> held.client == newcomer.client);
    long aged = now - TimeUnit.SECONDS.toNanos(AGED_SECONDS);
    if (!holdsNone) {
      return newcomer; // V4
    }
    return holders.stream()
        .filter(held -> held.begun() - aged <= 0) // V2
        .min(Comparator.comparingLong(RunningRequest::begun))
        .or(() -> contested(newcomer, holders, ofOwners)) // V3
        .orElse(newcomer); // V4
  }

  private static Optional<RunningRequest> contested(
      RunningRequest newcomer, Collection<RunningRequest> holders, Map<Owner, Integer> ofOwners) {
    int own = ofOwners.getOrDefault(newcomer.client.owner, 0);
    return holders.stream()
        .sorted(Comparator.comparingLong(RunningRequest::begun).reversed())
        .limit(Math.max(1, holders.size() / CONTESTED))
        .filter(
            held ->
                held.client.owner == newcomer.client.owner || ofOwners.get(held.client.owner) > own)
        .filter(held -> lead(held, newcomer) > LongRequests.QUANTUM)
        .max(Comparator.comparingLong(held -> lead(held, newcomer)));
  }

  /** Thread time that one has used more than another, as clients or else as owners. */
  private static long lead(RunningRequest one, RunningRequest other) {
    return one.client.owner == other.client.owner
        ? one.client.time - other.client.time
        : one.client.owner.time - other.client.owner.time;
  }

  private static Stream<RunningRequest> of(Collection<RunningRequest> holders, Owner owner) {
    return holders.stream().filter(held -> held.client.owner == owner);
  }

  private static <K> Map<K, Integer> count(
      Stream<RunningRequest> holders, Function<RunningRequest, K> key) {
    Map<K, Integer> counts = new HashMap<>();
    holders.forEach(held -> counts.merge(key.apply(held), 1, Integer::sum));
    return counts;
  }

  private static <K> K richest(Map<K, Integer> counts, K otherwise) {
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(otherwise);
  }

  private static RunningRequest youngest(Collection<RunningRequest> holders, Client client) {
    return holders.stream()
        .filter(held -> held.client == client)
        .max(Comparator.comparingLong(RunningRequest::begun))
        .orElseThrow();
  }
}
