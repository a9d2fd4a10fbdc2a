package io.bg3.storage.file;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs calls where no interrupt reaches them. Threads: any. */
final class IoThreads {
  private static final ExecutorService POOL =
      Executors.newCachedThreadPool(task -> new IoThread(task, "bg3-io"));

  private IoThreads() {}

  /**
   * Runs {@code call} on an {@link IoThread} and waits for it, however often the caller is
   * interrupted meanwhile; the flag is set again afterwards.
   */
  static <T> T call(Callable<T> call) throws IOException {
    if (Thread.currentThread() instanceof IoThread) {
      return inPlace(call);
    }
    Future<T> result = POOL.submit(call);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw rethrown(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static <T> T inPlace(Callable<T> call) throws IOException {
    try {
      return call.call();
    } catch (Exception e) {
      throw rethrown(e);
    }
  }

  private static IOException rethrown(Throwable cause) {
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    } else if (cause instanceof Error error) {
      throw error;
    } else if (cause instanceof IOException io) {
      return io;
    }
    return new IOException(cause);
  }
}
