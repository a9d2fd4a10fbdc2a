package io.bg3.rules;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Loads the classes of this project anew, with sites and one fault put into their byte code. What
 * is not there to be changed is an error: a fault that was not planted would seem to be missed.
 */
final class TwinLoader extends ClassLoader {
  private static final String OURS = "io.bg3.";
  private static final String SITES = Type.getInternalName(Sites.class);

  private final Site[] sites;
  private final Twin twin; // null for the engine as it is
  private final String test;
  private boolean planted;

  TwinLoader(Class<?> test, Site[] sites, Twin twin) {
    super(test.getClassLoader());
    this.test = Type.getInternalName(test);
    this.sites = sites;
    this.twin = twin;
  }

  /** Loads the classes that are changed, so that what cannot be changed is noticed. */
  void plant() throws ClassNotFoundException {
    for (Site site : sites) {
      loadClass(site.in());
    }
    if (twin != null) {
      loadClass(twin.in());
      if (!planted) {
        throw new IllegalStateException("the fault was not planted: " + twin.name());
      }
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      if (!name.startsWith(OURS)) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        byte[] code = changed(name, code(name));
        loaded = defineClass(name, code, 0, code.length);
      }
      return loaded;
    }
  }

  private byte[] code(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private byte[] changed(String name, byte[] code) {
    boolean isTest = name.replace('.', '/').equals(test);
    boolean changes = isTest || (twin != null && twin.in().equals(name));
    for (Site site : sites) {
      changes |= site.in().equals(name);
    }
    if (!changes) {
      return code;
    }
    ClassNode node = new ClassNode();
    new ClassReader(code).accept(node, 0);
    for (Site site : sites) { // first, so that the calls are still there that they stand at
      if (site.in().equals(name)) {
        put(site, node);
      }
    }
    if (twin != null && twin.in().equals(name)) {
      plant(node);
      planted = true;
    }
    if (isTest) { // for what a twin does instead
      node.access |= Opcodes.ACC_PUBLIC;
      node.methods.stream()
          .filter(method -> (method.access & Opcodes.ACC_PRIVATE) == 0)
          .forEach(method -> method.access |= Opcodes.ACC_PUBLIC);
    }
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS); // no branch is changed
    node.accept(writer);
    return writer.toByteArray();
  }

  private static void put(Site site, ClassNode node) {
    List<MethodNode> methods = methods(node, site.method());
    if (site.before().isEmpty() && site.after().isEmpty()) {
      methods.stream()
          .filter(method -> !isLambda(method))
          .forEach(method -> method.instructions.insert(passing(site)));
      return;
    }
    boolean before = !site.before().isEmpty();
    for (Call call : calls(methods, before ? site.before() : site.after(), site.nth())) {
      if (before) {
        call.method().instructions.insertBefore(call.instruction(), passing(site));
      } else {
        call.method().instructions.insert(call.instruction(), passing(site));
      }
    }
  }

  private static InsnList passing(Site site) {
    InsnList list = new InsnList();
    list.add(new LdcInsnNode(site.name()));
    list.add(
        new MethodInsnNode(Opcodes.INVOKESTATIC, SITES, "pass", "(Ljava/lang/String;)V", false));
    return list;
  }

  private void plant(ClassNode node) {
    List<MethodNode> methods = methods(node, twin.method());
    if (twin.without().length == 0) {
      methods.stream()
          .filter(method -> !isLambda(method))
          .forEach(method -> leaveOutBody(node, method));
      return;
    }
    for (String name : twin.without()) {
      for (Call call : calls(methods, name, twin.nth())) {
        leaveOut(call);
      }
    }
  }

  private void leaveOutBody(ClassNode node, MethodNode method) {
    InsnList body = new InsnList();
    Type returned = Type.getReturnType(method.desc);
    if (twin.instead().isEmpty()) {
      push(returned, body);
    } else {
      boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
      int local = 0;
      if (!isStatic) {
        body.add(new VarInsnNode(Opcodes.ALOAD, local++));
      }
      for (Type argument : Type.getArgumentTypes(method.desc)) {
        body.add(new VarInsnNode(argument.getOpcode(Opcodes.ILOAD), local));
        local += argument.getSize();
      }
      body.add(instead(isStatic, node.name, method.desc));
    }
    body.add(new InsnNode(returned.getOpcode(Opcodes.IRETURN)));
    method.instructions = body;
    method.tryCatchBlocks.clear();
    method.localVariables = null;
  }

  private void leaveOut(Call call) {
    MethodInsnNode instruction = call.instruction();
    boolean isStatic = instruction.getOpcode() == Opcodes.INVOKESTATIC;
    InsnList other = new InsnList();
    if (twin.instead().isEmpty()) {
      Type[] arguments = Type.getArgumentTypes(instruction.desc);
      for (int i = arguments.length - 1; i >= 0; i--) {
        other.add(new InsnNode(arguments[i].getSize() == 2 ? Opcodes.POP2 : Opcodes.POP));
      }
      if (!isStatic) {
        other.add(new InsnNode(Opcodes.POP));
      }
      push(Type.getReturnType(instruction.desc), other);
    } else {
      other.add(instead(isStatic, instruction.owner, instruction.desc));
    }
    call.method().instructions.insertBefore(instruction, other);
    call.method().instructions.remove(instruction);
  }

  private MethodInsnNode instead(boolean isStatic, String owner, String descriptor) {
    String with = isStatic ? descriptor : "(" + Type.getObjectType(owner) + descriptor.substring(1);
    return new MethodInsnNode(Opcodes.INVOKESTATIC, test, twin.instead(), with, false);
  }

  /** Pushes what is returned in place of the truth. */
  private void push(Type type, InsnList into) {
    switch (type.getSort()) {
      case Type.VOID -> {}
      case Type.LONG -> into.add(new LdcInsnNode((long) twin.result()));
      case Type.BOOLEAN, Type.BYTE, Type.CHAR, Type.SHORT, Type.INT ->
          into.add(new LdcInsnNode(twin.result()));
      case Type.ARRAY, Type.OBJECT -> into.add(new InsnNode(Opcodes.ACONST_NULL));
      default -> throw new IllegalStateException("cannot return a " + type + ": " + twin);
    }
  }

  private record Call(MethodNode method, MethodInsnNode instruction) {}

  private static boolean isLambda(MethodNode method) {
    return method.name.startsWith("lambda$");
  }

  private static List<MethodNode> methods(ClassNode node, String... names) {
    List<MethodNode> found = new ArrayList<>();
    for (String name : names) {
      found.addAll(methods(node, name));
    }
    return found;
  }

  private static List<MethodNode> methods(ClassNode node, String name) {
    List<MethodNode> found =
        node.methods.stream()
            .filter(
                m ->
                    m.name.equals(name)
                        || (m.name + m.desc).equals(name)
                        || m.name.startsWith("lambda$" + name + "$"))
            .toList();
    if (found.isEmpty()) {
      throw new IllegalStateException("no such method: class=" + node.name + ", method=" + name);
    }
    return found;
  }

  private static List<Call> calls(List<MethodNode> methods, String name, int nth) {
    List<Call> found = new ArrayList<>();
    for (MethodNode method : methods) {
      for (AbstractInsnNode each : method.instructions) {
        if (each instanceof MethodInsnNode call && name(call).equals(name)) {
          found.add(new Call(method, call));
        }
      }
    }
    if (found.isEmpty() || nth > found.size()) {
      throw new IllegalStateException(
          "no such call: method=" + methods.get(0).name + ", call=" + name + ", nth=" + nth);
    }
    return nth == 0 ? found : found.subList(nth - 1, nth);
  }

  /** A called method as annotations name it: the simple name of the class, and its own. */
  private static String name(MethodInsnNode call) {
    String owner = call.owner;
    int at = Math.max(owner.lastIndexOf('/'), owner.lastIndexOf('$'));
    return owner.substring(at + 1) + "." + call.name;
  }
}
