/**
 * Reads and writes files of comma-separated values whose headers name the columns ({@code ~id,
 * ~label, ~from, ~to, name:type}).
 */
package io.bg3.transfer.csv;
