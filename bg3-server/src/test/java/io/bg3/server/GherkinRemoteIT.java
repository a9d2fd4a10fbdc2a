package io.bg3.server;

import io.bg3.gremlin.GherkinTest;
import io.bg3.gremlin.WorldFactory;
import io.cucumber.junit.Cucumber;
import io.cucumber.junit.CucumberOptions;
import org.junit.AfterClass;
import org.junit.runner.RunWith;

/**
 * The scenarios of {@link GherkinTest} through the driver (GraphBinary) and servers that {@code
 * bin/bg3 server} starts from the distribution. {@link RemoteWorld} says which few go elsewhere.
 */
@RunWith(Cucumber.class)
@CucumberOptions(
    tags = GherkinTest.TAGS,
    glue = "org.apache.tinkerpop.gremlin.features",
    objectFactory = GherkinRemoteIT.Factory.class,
    features = "classpath:/org/apache/tinkerpop/gremlin/test/features")
public class GherkinRemoteIT {
  /** Stops the servers. */
  @AfterClass
  public static void close() {
    RemoteWorld.close();
  }

  /** Makes the worlds. */
  public static final class Factory extends WorldFactory {
    public Factory() {
      super(RemoteWorld.class);
    }
  }
}
