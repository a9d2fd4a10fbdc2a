package io.bg3.rules;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/**
 * Runs a {@link RuleTest} on the engine as it is and on each of its twins. {@code
 * -Dbg3.rules.twins=false} leaves the twins out, where another run of the same tests has them.
 */
final class RuleTestExtension implements TestTemplateInvocationContextProvider {
  private static final boolean HAS_TWINS =
      Boolean.parseBoolean(System.getProperty("bg3.rules.twins", "true"));

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    RuleTest test = context.getRequiredTestMethod().getAnnotation(RuleTest.class);
    if (test.twins().length == 0) {
      throw new IllegalStateException("no twins: " + context.getRequiredTestMethod());
    }
    AtomicLong patience = new AtomicLong(); // for twins; 0 until the engine as it is has run
    return Stream.concat(
        Stream.of(new Run(test, null, patience)),
        Stream.of(HAS_TWINS ? test.twins() : new Twin[0])
            .map(twin -> new Run(test, twin, patience)));
  }

  /** One run of a test, on a twin or, with null, on the engine as it is. */
  private record Run(RuleTest test, Twin twin, AtomicLong patience)
      implements TestTemplateInvocationContext, InvocationInterceptor {
    @Override
    public String getDisplayName(int index) {
      return "R" + test.rule() + (twin == null ? ", as it is" : ", twin: " + twin.name());
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> context,
        ExtensionContext extension)
        throws Throwable {
      invocation.skip(); // it runs in classes of its own
      Method method = context.getExecutable();
      TwinLoader loader = new TwinLoader(method.getDeclaringClass(), test.sites(), twin);
      loader.plant();
      Class<?> waits = loader.loadClass(Patience.class.getName());
      if (twin != null && patience.get() > 0) {
        of(waits, "limitTo", long.class).invoke(null, patience.get());
      }
      Throwable failure = run(loader, method);
      if (twin == null) {
        patience.set((Long) of(waits, "forTwins").invoke(null));
      }
      if (twin == null) {
        if (failure != null) {
          throw failure;
        }
      } else if (failure == null) {
        throw new AssertionError("the twin was not found: " + twin.name());
      } else if (!(failure instanceof AssertionError)) {
        throw failure; // no assertion, so perhaps not what the fault leads to
      } else {
        extension.publishReportEntry("found", failure.toString());
      }
    }

    private static Method of(Class<?> loaded, String name, Class<?>... parameters)
        throws NoSuchMethodException {
      Method method = loaded.getDeclaredMethod(name, parameters);
      method.setAccessible(true); // another loader makes another package of it
      return method;
    }

    private static Throwable run(TwinLoader loader, Method method)
        throws ReflectiveOperationException {
      Class<?> inside = loader.loadClass(method.getDeclaringClass().getName());
      Constructor<?> constructor = inside.getDeclaredConstructor();
      constructor.setAccessible(true);
      Method test = inside.getDeclaredMethod(method.getName());
      test.setAccessible(true);
      try {
        test.invoke(constructor.newInstance());
        return null;
      } catch (InvocationTargetException e) {
        return e.getCause();
      }
    }
  }
}
