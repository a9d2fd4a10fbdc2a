package com.facebook.LinkBench;

/** The phase for which a store is initialised. */
public enum Phase {
  LOAD,
  REQUEST
}
