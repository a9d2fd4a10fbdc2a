package io.bg3.core.forest;

import io.bg3.core.tree.Tree;

/**
 * The directory's answer about an owner. It is right for as long as the owner's stripe is held.
 *
 * @param tree that holds its entries without a family, its own or a shared one
 * @param degrees what is known of its degrees
 */
public record OwnersTree(Tree tree, KeptDegrees degrees) {}
