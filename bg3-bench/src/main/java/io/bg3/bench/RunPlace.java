package io.bg3.bench;

import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Where a run makes its stores, how large they are, and which command prints its progress.
 *
 * @param size of the stores
 * @param root the directory that the stores are made in
 * @param command its output and its error output are written to
 */
record RunPlace(EngineSize size, Path root, CommandSpec command) {}
