/**
 * Signatures of the few classes of LinkBench that the adapter touches, to compile against: written
 * for this project and never packaged. Where LinkBench runs, its own classes are there instead;
 * bodies are here only for our tests. {@code SignaturesTest} compares both when LinkBench's jar is
 * given.
 */
package com.facebook.LinkBench;
