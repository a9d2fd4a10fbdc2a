/**
 * The engine under the judges: histories of many threads, power cuts at every write, kills of the
 * process.
 */
package io.bg3.torture;
