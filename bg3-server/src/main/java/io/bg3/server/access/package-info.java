/**
 * Who may use a server: users and their passwords, roles, TLS, the audit log, and what a browser
 * may send.
 *
 * <ul>
 *   <li>Where there are users, nothing of a connection reaches the guard before it has logged in
 *       ({@link io.bg3.server.access.Logins} has the rules).
 *   <li>A role is enforced by the guard on the request, bytecode and text alike, not by a strategy,
 *       which a client could take off.
 * </ul>
 */
package io.bg3.server.access;
