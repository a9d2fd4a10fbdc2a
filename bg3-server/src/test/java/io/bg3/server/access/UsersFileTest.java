package io.bg3.server.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
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
    assertTrue(empty.getMessage().startsWith("nobody could log in"), empty.getMessage());
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
