/** The strategies of a traversal source, of which a traversal runs those that can change it. */
package io.bg3.gremlin.process.traversal.util;
