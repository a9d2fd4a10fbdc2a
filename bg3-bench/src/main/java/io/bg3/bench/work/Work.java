package io.bg3.bench.work;

import io.bg3.bench.report.MetricFile;
import java.io.IOException;

/** Something that is done with one system in a process of its own. */
interface Work {
  MetricFile.Content run(Task task) throws IOException;
}
