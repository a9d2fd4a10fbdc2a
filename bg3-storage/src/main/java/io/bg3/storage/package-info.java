/** What lies below the engine: files, log, extents, manifest, memory. */
package io.bg3.storage;
