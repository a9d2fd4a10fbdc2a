/**
 * The values that the graph stores under its keys: ids, property values, the records of vertices,
 * edges and properties, as bytes and as objects.
 *
 * <ul>
 *   <li>{@link io.bg3.core.record.VertexId}, {@link io.bg3.core.record.EdgeId} and {@link
 *       io.bg3.core.record.PropertyId} are the forms of an id.
 *   <li>{@link io.bg3.core.record.ValueCodec} encodes a property value with its exact type.
 *   <li>{@link io.bg3.core.record.VertexRecord} and {@link io.bg3.core.record.EdgeRecord} are
 *       records that can be changed; {@link io.bg3.core.record.VertexView} and {@link
 *       io.bg3.core.record.PropertyView} read one where its bytes stand.
 * </ul>
 *
 * <p>A record names labels and property keys by their codes. Nothing here reads or writes a store.
 * Threads: records and views belong to one thread, where a class does not say otherwise.
 */
package io.bg3.core.record;
