/** What an operator sees of the queries of a server, and the services that show and end them. */
package io.bg3.server.query;
