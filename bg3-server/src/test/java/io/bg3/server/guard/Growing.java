package io.bg3.server.guard;

import java.util.List;
import java.util.stream.Stream;
import javax.script.Bindings;
import javax.script.ScriptException;
import javax.script.SimpleBindings;
import org.apache.tinkerpop.gremlin.jsr223.GremlinLangScriptEngine;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.util.empty.EmptyGraph;

/** Queries whose values grow, as often as they are told: a few times and for good. */
public final class Growing {
  /** How those that grow for good are refused. */
  public static final String REFUSED =
      "(value would grow too large|value is too large(, or nested too deeply)?|value has too many"
          + " elements|number has too many digits|results are too large): ";

  /** A query that is repeated {@code %d} times, how often is harmless, and how long it then is. */
  record Query(String text, int harmless, int often, String answer) {
    String hostile() {
      return text.formatted(often);
    }
  }

  static final List<Query> QUERIES =
      List.of(
          query("g.inject('a').repeat(__.concat(__.identity())).times(%d)", 3, "aaaaaaaa"),
          query(
              "g.inject('a').repeat(__.concat(__.identity(),__.identity(),__.identity())).times(%d)",
              1, "aaaa"),
          query(
              "g.inject('a').repeat(__.choose(__.is('b'),__.identity(),"
                  + "__.local(__.union(__.map(__.concat(__.identity())))))).times(%d)",
              2, "aaaa"),
          query("g.inject('aa').repeat(__.replace('a','aaaa')).times(%d)", 1, "aaaaaaaa"),
          query(
              "g.inject(['a','aa']).repeat(__.replace(Scope.local,'a','aaaa')).times(%d)",
              1, "[aaaa, aaaaaaaa]"),
          query("g.inject('a').repeat(__.format('%%{_}%%{_}')).times(%d)", 2, "aaaa"),
          query(
              "g.inject('a').repeat(__.format('%%{_}%%{_}').by(__.identity())).times(%d)",
              2, "aaaa"),
          query(
              "g.inject('a').repeat(__.format('%%{_}%%{_}').by(__.concat('b'))).times(%d)",
              1, "abab"),
          query("g.inject('a').repeat(__.as('x').format('%%{x}%%{x}')).times(%d)", 2, "aaaa"),
          query("g.inject('ab').repeat(__.split('').conjoin('--')).times(%d)", 1, "a--b"),
          query(
              "g.inject([1,2]).repeat(__.product(__.identity())).times(%d)",
              1, "[[1, 1], [1, 2], [2, 1], [2, 2]]"),
          query("g.inject([1,2]).repeat(__.combine(__.identity())).times(%d)", 1, "[1, 2, 1, 2]"),
          query(
              "g.inject([1]).repeat(__.merge(__.product(__.identity()))).times(%d)",
              1, "[1, [1, 1]]"),
          query(
              "g.inject([1]).repeat(__.disjunct(__.product(__.identity()))).times(%d)",
              1, "[1, [1, 1]]"),
          query(
              "g.inject('a').repeat(__.map(__.union(__.identity(),__.identity()).fold())).times(%d)",
              2, "[[a, a], [a, a]]"),
          query(
              "g.inject('a').repeat(__.map(__.union(__.identity(),__.identity()).fold())).times(%d)"
                  + ".asString()",
              1, "[a, a]"),
          query(
              "g.inject('a').repeat(__.project('x').by(__.project('y','z').by().by())).times(%d)",
              1, "{x={y=a, z=a}}"),
          query(
              "g.inject(1).repeat(__.union(__.identity(),__.identity())).times(%d).fold()",
              1, "[1, 1]"),
          query(
              "g.inject(1).repeat(__.union(__.identity(),__.identity())).times(%d)"
                  + ".aggregate('x').limit(1).cap('x')",
              1, "{1=2}"),
          query(
              "g.withSideEffect('x',[0],Operator.addAll).inject(1)"
                  + ".repeat(__.union(__.identity(),__.identity())).times(%d)"
                  + ".aggregate('x').limit(1).cap('x')",
              1, "[0, 1, 1]"),
          query(
              "g.withSack([1]).inject(1).repeat(__.sack(Operator.addAll).by(__.sack())).times(%d)"
                  + ".sack()",
              1, "[1, 1]"),
          query(
              "g.withSack(2n).inject(1).repeat(__.sack(Operator.mult).by(__.sack())).times(%d)"
                  + ".sack()",
              2, "16"),
          query(
              "g.withSack(1e900m).inject(1).repeat(__.sack(Operator.mult).by(__.sack())).times(%d)"
                  + ".sack()",
              1, "1E+1800"),
          query(
              "g.withSack(2n,Operator.mult).inject(1)"
                  + ".repeat(__.union(__.identity(),__.identity()).barrier()).times(%d).sack()",
              1, "4"),
          query(
              "g.withSideEffect('x',2n,Operator.mult).inject(1)"
                  + ".repeat(__.aggregate('x').by(__.select('x'))).times(%d).cap('x')",
              2, "16"),
          query(
              "g.inject(2n).repeat(__.map(__.union(__.identity(),__.map(__.identity()))"
                  + ".fold(1n,Operator.mult))).times(%d)",
              2, "16"));

  private Growing() {}

  /** The queries that would end a process. */
  public static Stream<String> texts() {
    return QUERIES.stream().map(Query::hostile);
  }

  /** The query as a client sends it in bytecode. */
  public static Bytecode bytecode(String text) throws ScriptException {
    return traversal(text, EmptyGraph.instance().traversal()).asAdmin().getBytecode();
  }

  static Traversal<?, ?> traversal(String text, GraphTraversalSource g) throws ScriptException {
    Bindings bindings = new SimpleBindings();
    bindings.put("g", g);
    return (Traversal<?, ?>) new GremlinLangScriptEngine().eval(text, bindings);
  }

  private static Query query(String text, int harmless, String answer) {
    return new Query(text, harmless, 60, answer);
  }
}
