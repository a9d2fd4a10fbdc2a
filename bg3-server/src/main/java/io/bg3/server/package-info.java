/**
 * Gremlin Server with one BG3 store behind the traversal source {@code g}: its configuration, its
 * protection from clients, its start and its stop.
 *
 * <p>Rules that this package keeps:
 *
 * <ul>
 *   <li>S1: no Groovy. Every engine manager that a thread of the server creates, those of sessions
 *       included, finds one script engine, gremlin-lang, under every name ({@link
 *       io.bg3.server.LangOnlyClassLoader}). The server replaces the language of a request by
 *       gremlin-lang before any handler reads it ({@link io.bg3.server.request.RequestBounds}). A
 *       self-test proves this before the port opens ({@link io.bg3.server.GroovyProbe}).
 *   <li>S2: a query consists of elements of an allow-list. The server validates a query before any
 *       part of it runs ({@link io.bg3.server.request.Guard}), and the bytes of a message before it
 *       decodes them.
 *   <li>S3: no request runs longer than the server's limit, whatever timeout the request asks for.
 *   <li>S4: the store opens before the port, and closes after the last query has ended.
 * </ul>
 */
package io.bg3.server;
