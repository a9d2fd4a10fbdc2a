/** What the Gremlin Console and Gremlin Server need to know BG3. */
package io.bg3.gremlin.jsr223;
