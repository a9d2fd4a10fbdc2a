/** Values that lie outside of the pages, as far as they are in memory. */
package io.bg3.core.value;
