/**
 * Access control of a server: users and passwords, roles, TLS, the audit log, and the checks of
 * requests from browsers.
 *
 * <ul>
 *   <li>On a server with users, no message of a connection reaches the guard before the client has
 *       logged in; {@link io.bg3.server.access.Logins} has the rules.
 *   <li>The guard enforces a role on the request itself, bytecode and query text alike. No strategy
 *       enforces it, so it does not depend on how a query configures its source.
 * </ul>
 */
package io.bg3.server.access;
