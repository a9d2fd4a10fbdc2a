package io.bg3.server.guard;

/** The server's settings, as the guard finds them: made by whoever starts the server. */
public interface Guarded {
  /** What a client may ask for and take up. */
  Limits limits();
}
