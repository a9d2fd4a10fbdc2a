package io.bg3.transfer.definitions;

import io.bg3.core.graph.EdgeFamily;
import io.bg3.core.graph.LabelSchema;
import io.bg3.transfer.TransferException;
import java.util.List;
import java.util.Set;

/**
 * A graph whose definitions are read and extended, in a store or on a server. Applying a definition
 * that the graph has does nothing, except that it resumes work that has stopped with a problem.
 *
 * <p>Threads: one.
 */
public interface DefinedGraph {
  /** The name of the graph in messages. */
  String name();

  /** The definitions of the graph, those that do not hold among them, without dropped indexes. */
  Definitions definitions() throws TransferException;

  /** Those of some edge labels that are in use, so that they can only become ordered or counted. */
  Set<String> labelsInUse(Set<String> labels) throws TransferException;

  /**
   * Defines a family.
   *
   * @throws TransferException if the graph refuses it
   */
  void define(EdgeFamily family) throws TransferException;

  /**
   * Declares an edge label.
   *
   * @throws TransferException if the graph refuses it
   */
  void declare(LabelDefinition label) throws TransferException;

  /**
   * Defines a schema.
   *
   * @throws TransferException if the graph refuses it
   */
  void define(LabelSchema schema) throws TransferException;

  /**
   * Drops a schema, which the graph need not have.
   *
   * @throws TransferException if the graph refuses it
   */
  void drop(LabelSchema schema) throws TransferException;

  /**
   * Creates a property index.
   *
   * @throws TransferException if the graph refuses it
   */
  void create(IndexDefinition index) throws TransferException;

  /** How far the graph is with its labels, schemas and indexes. */
  List<DefinitionStatus> statuses() throws TransferException;
}
