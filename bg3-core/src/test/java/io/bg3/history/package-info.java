/**
 * Histories of transactions and a checker that says whether they are strictly serialisable.
 *
 * <p>A {@link io.bg3.history.History} is what clients saw: when each transaction began and ended,
 * what it read and wrote, and what it was told about its outcome. Every written value is unique,
 * and a key's value is a list to which values are appended; so a reader of a list has read the
 * order in which its writers committed, and no guess about versions is needed. From that order
 * follow the dependencies between transactions:
 *
 * <pre>
 *   ww   a appended to a key, b appended the value behind it
 *   wr   a appended what b read last
 *   rw   a read a key before b appended to it
 *   rt   a was over before b began (real time)
 * </pre>
 *
 * <p>An order in which the transactions could have run one after another follows every one of these
 * edges. It exists if and only if they form no cycle: the cycle is the proof of an anomaly, and
 * {@link io.bg3.history.Checker} prints it. Three more kinds of keys exist beside lists: sets,
 * whose members are added blindly and in no order; counts, of which only the length is read; and
 * ranges of keys, where a key that was not returned was read as empty, so that a phantom is an edge
 * like any other.
 *
 * <p>Rules for recording: a history ends with a final read of every key, or else a lost
 * acknowledgement cannot show; an outcome that is not known is recorded as unknown and never as
 * aborted.
 */
package io.bg3.history;
