/** Nodes and links in BG3 in this process: vertices and edges of an ordinary store. */
package io.bg3.linkbench.engine;
