/**
 * Off-heap memory: one byte budget, blocks cut from slabs, and the epochs that say when a block may
 * be used again.
 *
 * <p>The package keeps two rules for the layers above. <b>Budget:</b> the thread that asks in
 * advance is granted memory in the order of arrival or gets a {@link
 * io.bg3.storage.memory.MemoryExceededException}; the thread that has passed the point where it may
 * not fail overdraws, and then nobody is granted anything until that is paid back. <b>Reuse:</b> a
 * block that readers could reach is retired, not freed, and freed only when every reader that was
 * inside an epoch at that time has left it. {@link io.bg3.storage.memory.Epochs} says why that is
 * enough.
 */
package io.bg3.storage.memory;
