/** The benchmark's command line and the process that starts one process for each measurement. */
package io.bg3.bench;
