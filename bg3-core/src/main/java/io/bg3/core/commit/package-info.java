/** Transactions: snapshots, validation, commit order and durability. */
package io.bg3.core.commit;
