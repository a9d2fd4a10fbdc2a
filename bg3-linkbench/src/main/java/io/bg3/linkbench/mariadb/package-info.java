/** Nodes and links in MariaDB, with LinkBench's tables, to measure InnoDB in the same run. */
package io.bg3.linkbench.mariadb;
