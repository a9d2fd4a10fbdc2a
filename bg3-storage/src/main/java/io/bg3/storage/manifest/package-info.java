/**
 * The root of a store: one small file that names everything else, replaced as a whole.
 *
 * <p>Its payload belongs to the engine. This package promises: after a crash at any moment the
 * manifest is the last one whose replacement returned, or the one that was being put in its place,
 * complete; and a manifest that opening returned is the one that a later power cut leaves, so what
 * only an older one needs may be deleted.
 */
package io.bg3.storage.manifest;
