/**
 * Attackers of a server, and the measurements of the server that they attack. One process runs all
 * attackers in one thread; each class of attack is an {@link io.bg3.server.hostile.Attack} with a
 * generator of its own.
 */
package io.bg3.server.hostile;
