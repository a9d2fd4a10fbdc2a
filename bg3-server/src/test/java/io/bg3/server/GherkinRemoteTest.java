package io.bg3.server;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Stage;
import io.bg3.gremlin.GherkinTest;
import io.cucumber.guice.CucumberModules;
import io.cucumber.junit.Cucumber;
import io.cucumber.junit.CucumberOptions;
import org.apache.tinkerpop.gremlin.features.AbstractGuiceFactory;
import org.apache.tinkerpop.gremlin.features.World;
import org.junit.AfterClass;
import org.junit.runner.RunWith;

/**
 * The scenarios of {@link GherkinTest} through the driver (GraphBinary), the guard and a server.
 */
@RunWith(Cucumber.class)
@CucumberOptions(
    tags = GherkinTest.TAGS,
    glue = "org.apache.tinkerpop.gremlin.features",
    objectFactory = GherkinRemoteTest.Factory.class,
    features = "classpath:/org/apache/tinkerpop/gremlin/test/features")
public class GherkinRemoteTest {
  /** Stops the servers. */
  @AfterClass
  public static void close() {
    RemoteWorld.close();
  }

  /** Makes the worlds. */
  public static final class Factory extends AbstractGuiceFactory {
    public Factory() {
      super(
          Guice.createInjector(
              Stage.PRODUCTION,
              CucumberModules.createScenarioModule(),
              new AbstractModule() {
                @Override
                protected void configure() {
                  bind(World.class).to(RemoteWorld.class);
                }
              }));
    }
  }
}
