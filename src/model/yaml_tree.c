/* The tree of a document, whoever has read it: yaml.c from its text, a page from what yaml.c has read. */
#include "base/memory.h"
#include "model/yaml.h"

const char *spec_text(const spec_file *file, const spec_node *node) {
    return file->strings.data != NULL ? file->strings.data + node->first : "";
}

const spec_node *spec_first(const spec_file *file, const spec_node *node) {
    bool has_children = node->kind == SPEC_LIST || node->kind == SPEC_MAPPING;
    return has_children && node->first > 0 ? &file->nodes[node->first] : NULL;
}

const spec_node *spec_next(const spec_file *file, const spec_node *node) {
    return node->next > 0 ? &file->nodes[node->next] : NULL;
}

void spec_file_free(spec_file *file) {
    text_free(&file->strings);
    text_free(&file->warnings);
    for (size_t i = 0; i < file->problem_count; i++) memory_free(file->problems[i].message);
    memory_free_all(file->nodes, file->problems);
    *file = (spec_file){0};
}
