package io.bg3.core.recovery;

import io.bg3.core.forest.Forest;
import io.bg3.core.tree.TreeSpace;
import io.bg3.storage.extent.ExtentStore;
import io.bg3.storage.manifest.ManifestFile;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A store as its last manifest describes it, loaded and not yet replayed.
 *
 * @param checkpoint what the last manifest says; null inside if there is none
 * @param logPosition where replay starts
 * @param logDurable how far the manifest says the log is durable
 * @param newest E: nothing may be read before replay has come so far, and new stamps are above it
 * @param totals the commit layer's totals, empty for a new store
 * @param isNew whether there was no manifest: then {@link Checkpointer#create} makes the store
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
public record OpenedStore(
    Forest forest,
    TreeSpace space,
    ExtentStore extents,
    ManifestFile manifest,
    PageMap map,
    ValueReferences values,
    NamedRows named,
    AtomicReference<Checkpoint> checkpoint,
    long logPosition,
    long logDurable,
    long newest,
    byte[] totals,
    boolean isNew) {}
