package io.bg3.gremlin;

/**
 * The same graphs, asked with parameters that stay variables instead of being written into the
 * text.
 */
public final class ParameterWorld extends Bg3World {
  @Override
  public boolean useParametersLiterally() {
    return false;
  }
}
