package io.bg3.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.gremlin.structure.Bg3Graph;
import io.bg3.gremlin.structure.Bg3Services;
import io.bg3.linkbench.StoreSettings;
import io.bg3.linkbench.model.LinkDatabase;
import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.linkbench.phase.Control;
import io.bg3.linkbench.phase.CountCheck;
import io.bg3.linkbench.phase.Replay;
import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.ConfigFiles;
import io.bg3.linkbench.workload.Degrees;
import io.bg3.linkbench.workload.Seeds;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** LinkBench's workload through a server answers as maps on the heap do. */
class RemoteLinkBenchIT {
  private static final int REQUESTS = 2_000;

  @Test
  void answersAsTheModelDoes() throws IOException {
    Bg3Graph graph = Bg3Graph.open();
    Bg3Services.register(graph);
    ServedFixture served = new ServedFixture(graph, Map.of());
    Config config = config(served.port());
    Degrees degrees = new Degrees(config);
    Control control = new Control(by -> {});
    try (LinkDatabase database = new StoreSettings(config).open("linkdb")) {
      Replay replay = new Replay(database, config, degrees, control);
      replay.load(Seeds.of(config, "load_random_seed"));
      assertEquals(List.of(), replay.run(Seeds.of(config, "request_random_seed"), REQUESTS));
      assertEquals(List.of(), new CountCheck(database, config, degrees, control).run());
    } finally {
      served.close();
    }
  }

  @Test
  void aServerThatIsNotThereIsNamed() {
    StoreSettings settings = new StoreSettings(config(1));
    String message =
        assertThrows(LinkStoreException.class, () -> settings.open("linkdb")).getMessage();
    assertTrue(message.contains("address=127.0.0.1:1"), message);
  }

  private static Config config(int port) {
    Map<String, String> keys = new HashMap<>();
    keys.put("bg3.mode", "remote");
    keys.put("bg3.remote.port", Integer.toString(port));
    keys.put("bg3.remote.connections", "2");
    keys.put("maxid1", "151");
    keys.put("nlinks_func", "CONST");
    keys.put("nlinks_default", "4");
    keys.put("nlinks_config", "1");
    keys.put("requesters", "3");
    return ConfigFiles.read(Path.of("../conf/linkbench.properties"), keys);
  }
}
