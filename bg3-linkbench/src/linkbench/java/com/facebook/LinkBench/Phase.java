package com.facebook.LinkBench;

/** What a store is initialised for. */
public enum Phase {
  LOAD,
  REQUEST
}
