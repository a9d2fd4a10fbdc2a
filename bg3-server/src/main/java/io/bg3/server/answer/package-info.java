/**
 * The answers that the server gives in place of a result: refusals, errors, and the end of a
 * connection behind its last answer.
 *
 * <p>The package lies below all others that serve clients, because each of them refuses requests.
 */
package io.bg3.server.answer;
