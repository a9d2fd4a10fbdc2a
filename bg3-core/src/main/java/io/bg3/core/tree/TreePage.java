package io.bg3.core.tree;

/** A page, and the tree that it belonged to when this was made. */
record TreePage(Tree tree, int page) {}
