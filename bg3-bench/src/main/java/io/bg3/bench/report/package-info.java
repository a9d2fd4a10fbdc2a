/** Figures, and how they are shown: tables, JSON lines, charts. */
package io.bg3.bench.report;
