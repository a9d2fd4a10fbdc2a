package io.bg3.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.transfer.GraphFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Estimates the space of files, and compares it with that of a disk. */
class LoadSpaceTest {
  @TempDir private Path directory;

  @Test
  void aDiskThatIsTooSmallIsNamed() throws IOException {
    assertNull(new LoadSpace(1).shortage(directory));
    String shortage = new LoadSpace(Long.MAX_VALUE).shortage(directory);
    assertTrue(shortage.startsWith("the disk may be too small for the sorted edges"), shortage);
    assertTrue(shortage.endsWith(", needed=9,223,372,036,855 MB"), shortage);
  }

  @Test
  void aCompressedFileTakesMore() throws IOException {
    Path plain = Files.write(directory.resolve("a.csv"), new byte[1_000]);
    Path packed = Files.write(directory.resolve("b.csv.gz"), new byte[1_000]);
    List<GraphFile> files = List.of(FileFormat.CSV.file(plain), FileFormat.CSV.file(packed));
    assertEquals(14_000, LoadSpace.of(files).bytes());
  }
}
