/** The queries of a server as an operator sees them, and the services that show and end them. */
package io.bg3.server.query;
