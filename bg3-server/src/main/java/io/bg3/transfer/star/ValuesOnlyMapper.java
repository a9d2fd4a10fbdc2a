package io.bg3.transfer.star;

import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.io.Mapper;
import org.apache.tinkerpop.gremlin.structure.io.gryo.GryoMapper;
import org.apache.tinkerpop.gremlin.structure.util.star.StarGraph;
import org.apache.tinkerpop.shaded.kryo.Kryo;
import org.apache.tinkerpop.shaded.kryo.KryoException;
import org.apache.tinkerpop.shaded.kryo.Registration;
import org.apache.tinkerpop.shaded.kryo.Serializer;
import org.apache.tinkerpop.shaded.kryo.io.Input;
import org.apache.tinkerpop.shaded.kryo.io.Output;

/**
 * A Gryo mapper that reads only vertices and values. TinkerPop registers many more classes. Java
 * serialization reads some of them, so a file could run any code.
 */
final class ValuesOnlyMapper implements Mapper<Kryo> {
  /** An upper bound of Gryo's registration numbers. */
  private static final int MOST = 512;

  private static final Set<String> PACKAGES =
      Set.of("java.lang", "java.math", "java.time", "java.util");

  private static final Set<String> NOT_VALUES =
      Set.of("java.lang.Class", "java.lang.Object", "java.util.EnumSet", "java.util.Currency");

  @Override
  public Kryo createMapper() {
    Kryo kryo = GryoMapper.build().registrationRequired(true).create().createMapper();
    for (int id = 0; id < MOST; id++) {
      Registration registration = kryo.getClassResolver().getRegistration(id);
      if (registration != null && !isValue(registration.getType())) {
        registration.setSerializer(new Refusing(registration.getType()));
      }
    }
    return kryo;
  }

  private static boolean isValue(Class<?> type) {
    Class<?> element = type.isArray() ? type.getComponentType() : type;
    return element.isPrimitive()
        || element.getName().startsWith(StarGraph.class.getName())
        || element.getSimpleName().equals("VertexTerminator")
        || (PACKAGES.contains(element.getPackageName()) && !NOT_VALUES.contains(element.getName()));
  }

  private static final class Refusing extends Serializer<Object> {
    private final Class<?> refused;

    Refusing(Class<?> refused) {
      this.refused = refused;
    }

    @Override
    public void write(Kryo kryo, Output output, Object value) {
      throw new KryoException("not a value of a graph: class=" + refused.getName());
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<Object> type) {
      throw new KryoException("not a value of a graph: class=" + refused.getName());
    }
  }
}
