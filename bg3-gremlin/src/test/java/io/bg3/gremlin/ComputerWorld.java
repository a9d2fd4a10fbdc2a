package io.bg3.gremlin;

import io.cucumber.java.Scenario;
import java.util.Set;
import org.apache.tinkerpop.gremlin.LoadGraphWith.GraphData;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.junit.AssumptionViolatedException;

/**
 * The same graphs, asked on the graph computer. Left out are the scenarios that begin with an empty
 * graph, because traversals on a computer change none, and those that TinkerPop leaves out for its
 * own computer.
 */
public final class ComputerWorld extends Bg3World {
  /** How TinkerPop's traversals on a computer go wrong (TINKERPOP-3208, TINKERPOP-3209). */
  private static final Set<String> WRONG_IN_TINKERPOP =
      Set.of(
          "g_V_repeatXunionXoutXknowsX_order_byXnameX_inXcreatedX_order_byXnameXXX_timesX1X",
          "g_V_repeatXboth_repeatXorder_byXnameXX_timesX1XX_timesX1X",
          "g_V_order_byXname_descX_repeatXboth_simplePath_order_byXname_descXX_timesX2X_path",
          "g_VX3X_repeatXoutE_order_byXweightX_tailX2X_inVX_timesX2X_valuesXnameX",
          "g_VX3X_repeatXoutE_order_byXweight_descX_limitX2X_inVX_timesX2X_valuesXnameX",
          "g_VX3X_repeatXout_order_byXperformances_descX_limitX5X_tailX1XX_timesX2X_valuesXnameX",
          "g_VX3X_repeatXout_order_byXperformancesX_tailX3X_limitX1XX_timesX2X_valuesXnameX",
          "g_VX250X_repeatXout_localXorder_byXperformancesX_tailX1XXX_timesX2X_valuesXnameX",
          "g_VX3X_repeatXout_order_byXperformancesX_tailX2XX_timesX2X_valuesXnameX",
          "g_V_emit_repeatXout_order_byXnameXX_timesX2X_valuesXnameX",
          "g_V_emitXhasLabelXpersonXX_repeatXout_order_byXnameXX_timesX2X_valuesXnameX",
          "g_V_untilXloops_isX2XX_repeatXout_order_byXnameXX_valuesXnameX",
          "g_V_localXgroupCountXaX_selectXaX_countXlocalXX",
          "g_V_localXgroupXaX_byXnameX_by_selectXaX_countXlocalXX",
          "g_V_out_order_byXnameX_localXtreeXaX_selectXaX_countXlocalXX");

  @Override
  public void beforeEachScenario(Scenario scenario) {
    if (WRONG_IN_TINKERPOP.contains(scenario.getName())) {
      throw new AssumptionViolatedException("TINKERPOP-3208");
    }
  }

  @Override
  public GraphTraversalSource getGraphTraversalSource(GraphData data) {
    if (data == null) {
      throw new AssumptionViolatedException("a graph computer changes no graph");
    }
    return super.getGraphTraversalSource(data).withComputer();
  }
}
