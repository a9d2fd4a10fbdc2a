package io.bg3.gremlin;

import io.cucumber.junit.Cucumber;
import io.cucumber.junit.CucumberOptions;
import org.apache.tinkerpop.gremlin.features.World;
import org.junit.runner.RunWith;

/**
 * TinkerPop's scenarios about Gremlin that run on graph computers.
 *
 * <p>Takes about 30 s for 1,400 scenarios of TinkerPop. Its length is fixed.
 */
@RunWith(Cucumber.class)
@CucumberOptions(
    tags = World.GRAPHCOMPUTER_TAG_FILTER,
    glue = "org.apache.tinkerpop.gremlin.features",
    objectFactory = GherkinComputerTest.Factory.class,
    features = "classpath:/org/apache/tinkerpop/gremlin/test/features")
public class GherkinComputerTest {
  /** Makes the worlds. */
  public static final class Factory extends WorldFactory {
    public Factory() {
      super(ComputerWorld.class);
    }
  }
}
