/**
 * Executes the requests of {@code bg3.batch} on a store: many operations on links and nodes in one
 * message. {@code io.bg3.batch} decodes requests and encodes answers.
 */
package io.bg3.gremlin.batch;
