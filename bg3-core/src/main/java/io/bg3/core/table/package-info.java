/**
 * From page id to the page's block in memory and its images in storage; latches, and the marks a
 * checkpoint works with.
 */
package io.bg3.core.table;
