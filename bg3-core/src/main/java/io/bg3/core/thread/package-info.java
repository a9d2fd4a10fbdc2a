/**
 * The threads that a store runs while it is open, and the tasks that it runs in parallel while it
 * opens.
 *
 * <p>A {@link io.bg3.core.thread.StoreThread} is a daemon thread with an orderly end: the log
 * writer, the age limit of transactions and the checkpoint thread are such threads. An {@link
 * io.bg3.core.thread.OnDemandThread} is one that comes with its work and goes with it: those that
 * build indexes and verify schemas. A {@link io.bg3.core.thread.StorePool} has threads while there
 * are tasks for them: they load pages for readers of groups. {@link
 * io.bg3.core.thread.ParallelTasks} runs a batch of tasks and returns when the last has ended, also
 * if one fails. {@link io.bg3.core.thread.PerThread} keeps an object for each thread that uses a
 * store.
 */
package io.bg3.core.thread;
