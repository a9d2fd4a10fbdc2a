/** Exports a graph from a store or a server to files of any supported format. */
package io.bg3.export;
