package io.bg3.gremlin;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Stage;
import io.cucumber.guice.CucumberModules;
import org.apache.tinkerpop.gremlin.features.AbstractGuiceFactory;
import org.apache.tinkerpop.gremlin.features.World;

/** Makes a world for each scenario; a run of the scenarios names its own by a class below this. */
public abstract class WorldFactory extends AbstractGuiceFactory {
  /** Makes worlds of this class. */
  protected WorldFactory(Class<? extends World> world) {
    super(
        Guice.createInjector(
            Stage.PRODUCTION,
            CucumberModules.createScenarioModule(),
            new AbstractModule() {
              @Override
              protected void configure() {
                bind(World.class).to(world);
              }
            }));
  }
}
