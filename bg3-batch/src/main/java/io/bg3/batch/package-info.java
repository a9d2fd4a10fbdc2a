/**
 * Requests and answers of the services {@code bg3.batch} and {@code bg3.batch.read}: many
 * operations on links and nodes in one Gremlin request.
 *
 * <p>A client builds a {@link io.bg3.batch.BatchRequest}, sends it with any Gremlin driver as the
 * parameter of {@code call()}, and reads the {@link io.bg3.batch.BatchResponse}:
 *
 * <pre>
 *   BatchRequest request = new BatchRequest("version");
 *   request.addLink("likes", 1, 2, time, true, BatchProperties.of(Map.of("version", 1)));
 *   request.listLinks("likes", 1, Long.MIN_VALUE, Long.MAX_VALUE, true, 0, 10);
 *   Object answer = g.call(request.service(), request.parameters()).next();
 *   BatchResponse response = request.response((ByteBuffer) answer);
 *   response.answer(1).links();
 * </pre>
 *
 * <p>{@link io.bg3.batch.RequestDecoder} and {@link io.bg3.batch.ResponseEncoder} are the server's
 * side. The layout of the bytes is in docs/provider.md; {@code OperationCode}, {@code BatchWriter}
 * and {@code BatchReader} hold its numbers for both sides. The package needs nothing but the JDK.
 */
package io.bg3.batch;
