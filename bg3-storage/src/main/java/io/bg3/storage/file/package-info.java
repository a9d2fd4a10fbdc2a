/**
 * The only code that touches files: one flat directory of files with positional reads and writes,
 * explicit syncs, and nothing that a {@link java.lang.Thread#interrupt} can break.
 *
 * <p>What is promised after a power cut is exactly this, and the crashing double in the tests takes
 * away everything else: bytes of a file are there if a {@link io.bg3.storage.file.DiskFile#sync}
 * that began after they were written returned; a create, rename or delete holds if a {@link
 * io.bg3.storage.file.Disk#syncDirectory} that began after it returned; a rename is atomic. A
 * failed sync says nothing about what reached the disk and must not be repeated in the hope of
 * success: the kernel may have dropped the pages, and the second call would succeed without them.
 */
package io.bg3.storage.file;
