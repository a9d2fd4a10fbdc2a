package io.bg3.linkbench.mariadb;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.linkbench.model.LinkStoreException;
import io.bg3.linkbench.workload.Config;
import io.bg3.linkbench.workload.ConfigException;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** The message about a server that cannot be used; needs no server. */
class MariaConfigTest {
  @Test
  void aServerThatIsNotThereIsNamed() {
    String message =
        assertThrows(LinkStoreException.class, () -> new MariaDatabase(config("port", "1")))
            .getMessage();
    assertTrue(message.contains("url=jdbc:mariadb://127.0.0.1:1/"), message);
  }

  @Test
  void aNameThatIsNoneIsRefused() {
    assertThrows(ConfigException.class, () -> new MariaDatabase(config("linktable", "a`; DROP")));
  }

  @Test
  void anEngineThatIsNoneIsRefusedByName() {
    String message =
        assertThrows(ConfigException.class, () -> new MariaDatabase(config("engine", "MyISAM")))
            .getMessage();
    assertTrue(message.contains("key=engine, value=MyISAM"), message);
  }

  private static Config config(String key, String value) {
    Properties properties = new Properties();
    properties.setProperty("dbid", "nobodys");
    properties.setProperty(key, value);
    return new Config(properties);
  }
}
