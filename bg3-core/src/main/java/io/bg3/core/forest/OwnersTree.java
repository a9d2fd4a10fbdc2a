package io.bg3.core.forest;

import io.bg3.core.tree.Tree;

/**
 * What one look-up in the directory says of an owner. Right for as long as its stripe is held.
 *
 * @param tree that holds its entries without a family, its own or a shared one
 * @param degrees what is known of its degrees
 */
public record OwnersTree(Tree tree, KeptDegrees degrees) {}
