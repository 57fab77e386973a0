/* What is an integer tuple, and what can be asked of one? */
#include "model/build.h"
#include "model/text.h"

#include <inttypes.h>

unsigned swb_tuple_open(struct swb_tuple *tuple)
{
    unsigned node = tuple->count++;
    if (node < SWB_TUPLE_NODES)
        tuple->nodes[node] = (struct swb_tuple_node){.is_tuple = true};
    return node;
}

void swb_tuple_close(struct swb_tuple *tuple, unsigned node)
{
    if (node < SWB_TUPLE_NODES)
        tuple->nodes[node].nodes = (uint16_t)(tuple->count - node);
}

void swb_tuple_add(struct swb_tuple *tuple, int64_t value)
{
    unsigned node = tuple->count++;
    if (node < SWB_TUPLE_NODES)
        tuple->nodes[node] = (struct swb_tuple_node){.value = value, .nodes = 1};
}

void swb_tuple_copy(struct swb_tuple *tuple, const struct swb_tuple *from, unsigned node)
{
    for (unsigned i = node; i < node + from->nodes[node].nodes; i++) {
        if (tuple->count < SWB_TUPLE_NODES)
            tuple->nodes[tuple->count] = from->nodes[i];
        tuple->count++;
    }
}

unsigned swb_tuple_modes(const struct swb_tuple *tuple, unsigned parent)
{
    if (!tuple->nodes[parent].is_tuple)
        return 1;
    unsigned modes = 0, end = parent + tuple->nodes[parent].nodes;
    for (unsigned node = parent + 1; node < end; node += tuple->nodes[node].nodes)
        modes++;
    return modes;
}

unsigned swb_tuple_mode(const struct swb_tuple *tuple, unsigned parent, unsigned mode)
{
    if (!tuple->nodes[parent].is_tuple)
        return parent;
    unsigned node = parent + 1;
    while (mode-- > 0)
        node += tuple->nodes[node].nodes;
    return node;
}

unsigned swb_tuple_rank(const struct swb_tuple *tuple)
{
    return swb_tuple_modes(tuple, 0);
}

/* The root counts all nodes, and a tuple has one at least more than the 1 of an integer. */
bool swb_tuple_congruent(const struct swb_tuple *a, const struct swb_tuple *b)
{
    for (unsigned i = 0; i < a->count; i++) {
        if (a->nodes[i].nodes != b->nodes[i].nodes)
            return false;
    }
    return true;
}

bool swb_tuple_equal(const struct swb_tuple *a, const struct swb_tuple *b)
{
    if (!swb_tuple_congruent(a, b))
        return false;
    for (unsigned i = 0; i < a->count; i++) {
        if (a->nodes[i].value != b->nodes[i].value)
            return false;
    }
    return true;
}

int64_t swb_tuple_product(const struct swb_tuple *tuple)
{
    int64_t product = 1;
    for (unsigned i = 0; i < tuple->count; i++)
        product *= tuple->nodes[i].is_tuple ? 1 : tuple->nodes[i].value;
    return product;
}

static void print_node(const struct swb_tuple *tuple, unsigned node, struct text *text)
{
    if (!tuple->nodes[node].is_tuple) {
        swb_text_add(text, "%" PRId64, tuple->nodes[node].value);
        return;
    }
    unsigned end = node + tuple->nodes[node].nodes;
    for (unsigned child = node + 1; child < end; child += tuple->nodes[child].nodes) {
        swb_text_add(text, child == node + 1 ? "(" : ",");
        print_node(tuple, child, text);
    }
    swb_text_add(text, ")");
}

size_t swb_tuple_print(const struct swb_tuple *tuple, char *text, size_t bytes)
{
    struct text printed = {.start = text, .bytes = bytes};
    print_node(tuple, 0, &printed);
    return printed.length;
}
