/**
 * Files of comma-separated values whose headers name what their columns are ({@code ~id, ~label,
 * ~from, ~to, name:type}).
 */
package io.bg3.transfer.csv;
