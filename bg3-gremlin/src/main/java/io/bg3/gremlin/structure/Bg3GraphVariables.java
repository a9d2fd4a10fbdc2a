package io.bg3.gremlin.structure;

import io.bg3.core.graph.GraphTransaction;
import io.bg3.core.record.UnsupportedValueException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.util.GraphVariableHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/** The variables of a graph: kept in the store, read and written in the thread's transaction. */
final class Bg3GraphVariables implements Graph.Variables {
  private final TransactionSource transactions;

  Bg3GraphVariables(TransactionSource transactions) {
    this.transactions = transactions;
  }

  private GraphTransaction transaction() {
    return transactions.current().graph();
  }

  @Override
  public Set<String> keys() {
    return new LinkedHashSet<>(transaction().variables().names());
  }

  @Override
  @SuppressWarnings("unchecked") // the caller chooses R, as the interface has it
  public <R> Optional<R> get(String key) {
    return Optional.ofNullable((R) transaction().variables().get(key));
  }

  @Override
  public void set(String key, Object value) {
    GraphVariableHelper.validateVariable(key, value);
    try {
      transaction().variables().set(key, value);
    } catch (UnsupportedValueException e) {
      throw Graph.Variables.Exceptions.dataTypeOfVariableValueNotSupported(value, e);
    }
  }

  @Override
  public void remove(String key) {
    transaction().variables().remove(key);
  }

  @Override
  public String toString() {
    return StringFactory.graphVariablesString(this);
  }
}
