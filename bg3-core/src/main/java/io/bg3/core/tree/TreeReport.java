package io.bg3.core.tree;

import java.util.List;

/**
 * The result of checking one tree.
 *
 * @param tree its number
 * @param pages pages that are reachable from the root, the root among them
 * @param height levels, 1 for a tree of one leaf
 * @param entries entries of all leaves, base and delta, versions and tombstones counted
 * @param problems sentences that name the page; empty if all is well
 */
public record TreeReport(int tree, int pages, int height, long entries, List<String> problems) {}
