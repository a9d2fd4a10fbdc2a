package io.bg3.linkbench.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which file counts, and what is said about files and values that are wrong. */
class ConfigFilesTest {
  @TempDir private Path home;

  @Test
  void theCommandCountsBeforeTheFileAndTheFileBeforeItsWorkload() throws IOException {
    Path config = Files.createDirectory(home.resolve("config"));
    Files.writeString(config.resolve("work.properties"), "a=work\nb=work\nc=work\n");
    Path main =
        Files.writeString(
            config.resolve("main.properties"),
            "workload_file = config/work.properties\na=main\nb=main\n");
    Config read = ConfigFiles.read(main, Map.of("a", "command"));
    assertEquals("command main work", read.text("a") + " " + read.text("b") + " " + read.text("c"));
  }

  @Test
  void aFileThatIsNotThereIsNamedWithThePlaces() throws IOException {
    Path main = Files.writeString(home.resolve("main.properties"), "workload_file=nowhere.txt\n");
    String message =
        assertThrows(ConfigException.class, () -> ConfigFiles.read(main, Map.of())).getMessage();
    assertTrue(message.contains("key=workload_file, value=nowhere.txt"), message);
    assertTrue(message.contains(home.resolve("nowhere.txt").toString()), message);
  }

  @Test
  void aValueThatIsWrongIsNamedWithItsKey() {
    assertWrong("key=maxid1, value=many", "maxid1", "many");
    assertWrong("key=maxid1, value=1, startid1=1", "maxid1", "1");
    assertWrong("key=startid1, value=0", "startid1", "0");
    assertWrong("sum=", "addlink", "50");
    assertWrong("key=read_function, value=Pareto", "read_function", "Pareto");
    assertWrong("key=read_shape", "read_shape", "0");
    assertWrong("key=link_add_datagen, value=Zeros", "link_add_datagen", "Zeros");
    assertWrong("key=link_add_datagen_endbyte", "link_add_datagen_endbyte", "3");
    assertWrong("name=link_nreads", "read_function", "REAL");
    assertWrong("key=id2gen_config, value=2", "id2gen_config", "2");
    assertWrong("key=node_datasize", "node_datasize", "-1");
  }

  private static void assertWrong(String part, String key, String value) {
    String message =
        assertThrows(
                ConfigException.class,
                () -> {
                  Config config = Workloads.stock(key, value);
                  NodeDegrees degrees = new NodeDegrees(config);
                  PhaseSeeds seeds = PhaseSeeds.of(config, "load_random_seed");
                  new LoadPlan(config, degrees, seeds, 0);
                  new RequestStream(config, degrees, seeds.next(), () -> 0, 0, 1);
                })
            .getMessage();
    assertTrue(message.contains(part), message);
  }
}
