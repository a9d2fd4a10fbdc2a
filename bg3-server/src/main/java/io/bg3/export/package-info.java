/** Writing a graph, from a store or from behind a server, as files of any format. */
package io.bg3.export;
