package io.bg3.server.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Bytecode;
import org.apache.tinkerpop.gremlin.process.traversal.GType;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.ser.GraphBinaryMessageSerializerV1;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;
import org.junit.jupiter.api.Test;

/** Writes predicates as drivers do and reads them as the server does. */
class PredicatesTest {
  private static final GraphBinaryMessageSerializerV1 READER =
      new GraphBinaryMessageSerializerV1(new GuardedTypes());

  @Test
  void allPredicatesArriveAsTheyWereSent() throws Exception {
    for (P<?> sent :
        List.of(
            P.eq(1),
            P.neq("a"),
            P.lt(1L),
            P.lte(1.5),
            P.gt(1),
            P.gte(1),
            P.inside(1, 2L),
            P.outside(1, 2),
            P.between(1, 2),
            P.within(List.<Object>of(1, 2L, "c")),
            P.within(List.of()),
            P.without(List.of(1, 2)),
            P.typeOf(GType.INT),
            P.eq(1).and(P.gt(2).or(P.lt(0))),
            P.not(P.within(List.of(1, 2))),
            P.gt(1).negate(),
            TextP.startingWith("a"),
            TextP.notStartingWith("a"),
            TextP.endingWith("a"),
            TextP.notEndingWith("a"),
            TextP.containing("a"),
            TextP.notContaining("a"),
            TextP.regex("a+"),
            TextP.notRegex("a+"))) {
      assertEquals(sent, arrived(sent));
    }
  }

  private static Object arrived(P<?> sent) throws SerializationException {
    Bytecode query = new Bytecode();
    query.addStep("is", sent);
    ByteBuf bytes =
        new GraphBinaryMessageSerializerV1()
            .serializeRequestAsBinary(Messages.request(query), ByteBufAllocator.DEFAULT);
    try {
      bytes.skipBytes(1 + bytes.getByte(0));
      Bytecode read =
          (Bytecode) READER.deserializeRequest(bytes).getArgs().get(Tokens.ARGS_GREMLIN);
      return read.getStepInstructions().get(0).getArguments()[0];
    } finally {
      bytes.release();
    }
  }
}
