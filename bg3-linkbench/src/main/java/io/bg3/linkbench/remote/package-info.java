/** Nodes and links in BG3 behind a running server, through its services. */
package io.bg3.linkbench.remote;
