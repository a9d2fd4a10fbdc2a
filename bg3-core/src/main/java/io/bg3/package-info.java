/**
 * The store as an application opens it, and its settings. Only here are all layers wired; no logic
 * lives here.
 */
package io.bg3;
