/**
 * What stands between a client and the graph, whoever the client is: judges each message on its
 * bytes before anything is made of it, each query before anything runs it, and keeps what a client
 * may take up within limits.
 */
package io.bg3.server.guard;
