package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bg3.server.dispatch.OwnerLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes and reads files of users, good ones and others. */
class UsersFileTest {
  @TempDir private Path directory;

  @Test
  void whatIsAddedIsReadInOrder() throws IOException {
    UsersFile file = file();
    assertFalse(file.put(TestUsers.user("zoe", Role.READER)));
    assertFalse(file.put(TestUsers.user("ada", Role.WRITER)));
    assertEquals(List.of("ada", "zoe"), List.copyOf(file.read().keySet()));
    assertEquals(Role.READER, file.read().get("zoe").role());
    assertTrue(file.put(TestUsers.user("zoe", Role.WRITER)));
    assertEquals(Role.WRITER, file.read().get("zoe").role());
    assertTrue(file.remove("ada"));
    assertFalse(file.remove("ada"));
    assertEquals(Set.of("zoe"), file.read().keySet());
  }

  @Test
  void limitsAreReadAsTheyWereWritten() throws IOException {
    UsersFile file = file();
    User ada = TestUsers.user("ada", Role.WRITER);
    for (UserLimits limits :
        List.of(
            UserLimits.NONE,
            new UserLimits(5_000, UserLimits.UNSET, UserLimits.UNSET),
            new UserLimits(0, 2, Long.MAX_VALUE),
            new UserLimits(Long.MAX_VALUE, 0, 0))) {
      file.put(ada.limited(limits));
      assertEquals(Optional.of(ada.limited(limits)), file.find("ada"));
    }
    file.put(ada.limited(new UserLimits(5_000, 0, UserLimits.UNSET)));
    assertTrue(Files.readString(file.path()).endsWith(ada.hash() + ":time=5000,queries=none\n"));
    assertEquals(Optional.empty(), file.find("zoe"));
  }

  @Test
  void rolesOnGraphsAreReadAsTheyWereWritten() throws IOException {
    UsersFile file = file();
    User ada = TestUsers.user("ada", Role.NONE);
    GraphRoles roles = GraphRoles.of("people=reader,orders=writer,g=none");
    file.put(ada.onGraphs(roles));
    assertEquals(Optional.of(ada.onGraphs(roles)), file.find("ada"));
    String written = ada.hash() + "::g=none,orders=writer,people=reader\n";
    assertTrue(Files.readString(file.path()).endsWith(written));
    User limited = ada.onGraphs(roles).limited(new UserLimits(5, 6, 7));
    file.put(limited);
    assertEquals(Optional.of(limited), file.find("ada"));
    file.put(limited.onGraphs(roles.with("people", null).with("orders", Role.NONE)));
    assertEquals(GraphRoles.of("g=none,orders=none"), file.find("ada").get().graphs());
    file.put(ada.onGraphs(GraphRoles.NONE));
    assertTrue(Files.readString(file.path()).endsWith(":none:" + ada.hash() + "\n"));
  }

  @Test
  void aLimitThatIsNotSetIsTheServers() {
    OwnerLimits standard = new OwnerLimits(0, 3, 1_000);
    assertEquals(standard, UserLimits.NONE.or(standard));
    assertEquals(new OwnerLimits(7, 0, 1_000), new UserLimits(7, 0, UserLimits.UNSET).or(standard));
    assertEquals(UserLimits.NONE, new UserLimits(7, 8, 9).with("default", "default", "default"));
    assertEquals(new UserLimits(7, 0, 5), new UserLimits(7, 8, 9).with(null, "none", "5"));
  }

  @Test
  void onlyItsOwnerReadsIt() throws IOException {
    UsersFile file = file();
    file.put(TestUsers.user("ada", Role.WRITER));
    assertEquals(
        "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.path())));
    try (var all = Files.list(file.path().getParent())) {
      assertEquals(1, all.count(), "nothing is left beside it");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ada",
        "ada:writer:plain",
        "ada:owner:" + TestUsers.HASH,
        "ada:writer:" + TestUsers.HASH + ":speed=1",
        "ada:writer:" + TestUsers.HASH + ":time",
        "ada:writer:" + TestUsers.HASH + ":time=-1",
        "ada:writer:" + TestUsers.HASH + ":time=5,",
        "ada:writer:" + TestUsers.HASH + ":queries=4294967296",
        "ada:writer:" + TestUsers.HASH + ":time=5:queries=1",
        "ada:writer:" + TestUsers.HASH + "::people",
        "ada:writer:" + TestUsers.HASH + "::people=owner",
        "ada:writer:" + TestUsers.HASH + "::people=admin",
        "ada:writer:" + TestUsers.HASH + "::people=reader,people=reader",
        "ada:writer:" + TestUsers.HASH + "::people=reader,",
        "ada:writer:" + TestUsers.HASH + "::graph=reader",
        "ada:writer:" + TestUsers.HASH + "::2nd=reader",
        "ada:writer:" + TestUsers.HASH + "::people=reader:",
        "a da:writer:" + TestUsers.HASH,
        "ada:writer:$2a$31$" + "......................" + "..............................."
      })
  void aWrongLineIsNamed(String line) throws IOException {
    UsersFile file = file();
    Files.createDirectories(file.path().getParent());
    Files.writeString(file.path(), "# people\n\n" + line + "\n");
    IOException wrong = assertThrows(IOException.class, file::read);
    assertTrue(
        wrong
            .getMessage()
            .startsWith("line is not a user: file=" + file.path() + ", line=3, problem="),
        wrong.getMessage());
    assertFalse(wrong.getMessage().contains(TestUsers.HASH), wrong.getMessage());
  }

  @Test
  void aMissingOrEmptyFileSaysHowToMakeOne() throws IOException {
    IOException missing = assertThrows(IOException.class, () -> Users.open(file()));
    assertTrue(missing.getMessage().contains("bg3 user add"), missing.getMessage());
    Files.createDirectories(file().path().getParent());
    Files.writeString(file().path(), "# nobody\n");
    IOException empty = assertThrows(IOException.class, () -> Users.open(file()));
    assertTrue(empty.getMessage().startsWith("no client could log in"), empty.getMessage());
  }

  /** A file that cannot be looked at is not one without users, which would be written over it. */
  @Test
  void aUserIsNotAddedToAFileThatCannotBeRead() throws IOException {
    Path loop = directory.resolve("loop");
    Files.createSymbolicLink(loop, loop);
    UsersFile unreadable = new UsersFile(loop);
    assertThrows(IOException.class, () -> unreadable.put(TestUsers.user("ada", Role.READER)));
    assertTrue(Files.isSymbolicLink(loop));
  }

  @Test
  void aChangeIsSeenWhenTheFileIsLookedAtAndABrokenFileChangesNothing() throws IOException {
    UsersFile file = file();
    file.put(TestUsers.user("ada", Role.WRITER));
    Users users = Users.open(file);
    file.put(TestUsers.user("bob", Role.READER));
    assertTrue(users.user("bob").isEmpty());
    users.refresh();
    assertTrue(users.user("bob").isPresent());
    file.remove("ada");
    users.refresh();
    assertTrue(users.user("ada").isEmpty());
    Files.writeString(file.path(), "broken\n");
    users.refresh();
    assertTrue(users.user("bob").isPresent());
  }

  @Test
  void passwordsHaveALength() {
    for (String password : List.of("", "seven77", "x".repeat(73), "ü".repeat(40))) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> User.of("ada", Role.WRITER, password.toCharArray()));
      assertTrue(refused.getMessage().contains("least=8"), refused.getMessage());
      assertTrue(
          password.isEmpty() || !refused.getMessage().contains(password), refused.getMessage());
    }
  }

  private UsersFile file() {
    return new UsersFile(directory.resolve("new").resolve("users"));
  }
}
