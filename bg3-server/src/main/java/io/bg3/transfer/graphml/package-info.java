/**
 * Reads and writes GraphML as TinkerPop does: labels are the data of the keys {@code labelV} and
 * {@code labelE}, and every other key has a name and a type.
 */
package io.bg3.transfer.graphml;
