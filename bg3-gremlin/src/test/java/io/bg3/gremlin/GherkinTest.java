package io.bg3.gremlin;

import io.cucumber.junit.Cucumber;
import io.cucumber.junit.CucumberOptions;
import org.junit.runner.RunWith;

/**
 * TinkerPop's scenarios about Gremlin. Left out are what the feature matrix lets a provider lack:
 * graph computers, null values and the order of insertion.
 *
 * <p>Takes about 15 s for 2,000 scenarios of TinkerPop. Its length is fixed.
 */
@RunWith(Cucumber.class)
@CucumberOptions(
    tags = GherkinTest.TAGS,
    glue = "org.apache.tinkerpop.gremlin.features",
    objectFactory = GherkinTest.Factory.class,
    features = "classpath:/org/apache/tinkerpop/gremlin/test/features")
public class GherkinTest {
  /** The tags that are left in. */
  public static final String TAGS =
      "not @GraphComputerOnly and not @AllowNullPropertyValues and not @InsertionOrderingRequired";

  /** Makes the worlds. */
  public static final class Factory extends WorldFactory {
    public Factory() {
      super(Bg3World.class);
    }
  }
}
