/** The systems that are compared, each behind the same few calls. */
package io.bg3.bench.store;
