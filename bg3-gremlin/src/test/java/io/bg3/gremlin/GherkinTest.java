package io.bg3.gremlin;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Stage;
import io.cucumber.guice.CucumberModules;
import io.cucumber.junit.Cucumber;
import io.cucumber.junit.CucumberOptions;
import org.apache.tinkerpop.gremlin.features.AbstractGuiceFactory;
import org.apache.tinkerpop.gremlin.features.World;
import org.junit.runner.RunWith;

/**
 * TinkerPop's scenarios about Gremlin. Left out are what the feature matrix lets a provider lack:
 * graph computers, null values and the order of insertion.
 */
@RunWith(Cucumber.class)
@CucumberOptions(
    tags = GherkinTest.TAGS,
    glue = "org.apache.tinkerpop.gremlin.features",
    objectFactory = GherkinTest.Factory.class,
    features = "classpath:/org/apache/tinkerpop/gremlin/test/features")
public class GherkinTest {
  /** What is left in. */
  public static final String TAGS =
      "not @GraphComputerOnly and not @AllowNullPropertyValues and not @InsertionOrderingRequired";

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
                  bind(World.class).to(Bg3World.class);
                }
              }));
    }
  }
}
