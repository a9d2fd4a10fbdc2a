package io.bg3.cli;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * The progress of long work: a bar on the standard error if that is a terminal, otherwise nothing.
 * {@code bin/bg3} passes on whether it is, because the JVM cannot find out for the standard error.
 */
final class Progress implements AutoCloseable {
  private static final long KIBIBYTE = 1 << 10;
  private static final long MEBIBYTE = 1 << 20;

  /** The number from which on the bar shows whole units. */
  private static final long UNITS = 64;

  private final ProgressBar bar;

  private Progress(ProgressBar bar) {
    this.bar = bar;
  }

  /** Creates the progress of work that is measured in bytes. */
  static Progress ofBytes(String task, long bytes) {
    ProgressBarBuilder builder = new ProgressBarBuilder();
    if (bytes >= UNITS * MEBIBYTE) {
      builder.setUnit(" MiB", MEBIBYTE);
    } else if (bytes >= UNITS * KIBIBYTE) {
      builder.setUnit(" KiB", KIBIBYTE);
    } else {
      builder.setUnit(" B", 1);
    }
    return of(builder, task, bytes);
  }

  /** Creates the progress of work that is measured in elements. */
  static Progress ofCount(String task, long count) {
    return of(new ProgressBarBuilder(), task, count);
  }

  private static Progress of(ProgressBarBuilder builder, String task, long total) {
    if (!Boolean.getBoolean("bg3.terminal")) {
      return new Progress(null);
    }
    return new Progress(
        builder
            .setTaskName(task)
            .setInitialMax(total)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(200)
            .build());
  }

  void advance(long by) {
    if (bar != null) {
      bar.stepBy(by);
    }
  }

  /**
   * Sets the amount done so far; if it exceeds the total, which may be an estimate, the total
   * grows.
   */
  void reach(long done) {
    if (bar != null) {
      if (done > bar.getMax()) {
        bar.maxHint(done);
      }
      bar.stepTo(done);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
