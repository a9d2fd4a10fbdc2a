/** Helpers that the tests of several packages share: seeds, and threads that begin together. */
package io.bg3.testing;
