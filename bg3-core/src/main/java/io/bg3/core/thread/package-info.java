/**
 * The threads that a store runs while it is open, and the tasks that it runs in parallel while it
 * opens.
 *
 * <p>A {@link io.bg3.core.thread.StoreThread} is a daemon thread with an orderly end: the log
 * writer, the age limit of transactions and the checkpoint thread are such threads. {@link
 * io.bg3.core.thread.ParallelTasks} runs a batch of tasks and returns when the last has ended, also
 * if one fails.
 */
package io.bg3.core.thread;
