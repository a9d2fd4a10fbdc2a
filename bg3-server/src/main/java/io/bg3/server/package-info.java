/**
 * Gremlin Server with one BG3 store behind the source {@code g}: how it is configured, what it
 * refuses, how it starts and stops.
 *
 * <p>Rules kept here:
 *
 * <ul>
 *   <li>S1: no Groovy. Every engine manager that is made in the server's threads, those of sessions
 *       included, finds one engine, gremlin-lang, under every name ({@link
 *       io.bg3.server.LangOnlyClassLoader}); the language a request names is replaced by
 *       gremlin-lang before anything reads it ({@link io.bg3.server.guard.RequestBounds}); a probe
 *       proves it before the port opens ({@link io.bg3.server.GroovyProbe}).
 *   <li>S2: a query consists of what is on an allow-list, and is judged before anything of it runs
 *       ({@link io.bg3.server.guard.Guard}); a message is judged on its bytes before anything is
 *       made of it.
 *   <li>S3: no request runs longer than the server's limit, whatever it asks for.
 *   <li>S4: the store is opened before the port is bound and closed after the last query has ended.
 * </ul>
 */
package io.bg3.server;
