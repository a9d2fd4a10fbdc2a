package io.bg3.gremlin;

import io.cucumber.junit.Cucumber;
import io.cucumber.junit.CucumberOptions;
import org.junit.runner.RunWith;

/**
 * The scenarios of {@link GherkinTest} with parameters as variables ({@code GValue}).
 *
 * <p>Takes about 15 s for 2,000 scenarios of TinkerPop. Its length is fixed.
 */
@RunWith(Cucumber.class)
@CucumberOptions(
    tags = GherkinTest.TAGS,
    glue = "org.apache.tinkerpop.gremlin.features",
    objectFactory = GherkinParameterTest.Factory.class,
    features = "classpath:/org/apache/tinkerpop/gremlin/test/features")
public class GherkinParameterTest {
  /** Makes the worlds. */
  public static final class Factory extends WorldFactory {
    public Factory() {
      super(ParameterWorld.class);
    }
  }
}
