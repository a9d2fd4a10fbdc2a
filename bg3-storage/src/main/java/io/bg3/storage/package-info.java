/** The storage layer, below the engine: files, log, extents, manifest, memory. */
package io.bg3.storage;
