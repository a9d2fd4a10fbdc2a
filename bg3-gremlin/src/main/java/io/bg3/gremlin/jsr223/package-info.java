/** The plugin by which the Gremlin Console and Gremlin Server know BG3. */
package io.bg3.gremlin.jsr223;
