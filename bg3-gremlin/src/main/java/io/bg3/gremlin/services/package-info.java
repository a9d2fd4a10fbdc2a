/**
 * BG3's services for {@code call()}: links in the order of a sort key, nodes with consecutive ids,
 * and batches of operations on both.
 *
 * <p>The package uses the graph of {@code io.bg3.gremlin.structure}, which knows no service by its
 * class: {@link io.bg3.gremlin.services.Bg3Services#register} enters them in the graph's registry.
 */
package io.bg3.gremlin.services;
