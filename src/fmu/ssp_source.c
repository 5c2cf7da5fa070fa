/* Files named by a system of FMUs, and allocation of its lists.
 * 1. A source is a path relative to the system. A proxy of the Open Simulation Platform is replaced by its
 *    file, and \ between folders by /.
 * 2. In an archive (.ssp) the file is an entry of it, otherwise a file in the folder of the .ssd. Sources out
 *    of the archive are refused.
 * 3. With a component's name, the file is an entry of that component's archive. */
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "fmu/ssp.h"

void *ssp_add(xml *x, const xmlNode *at, const char *what, void **list, int *count, size_t size) {
    if (*count == SSP_PARTS_MAX) xml_refuse(x, at, "more than %d %s", SSP_PARTS_MAX, what);
    if (*list == NULL) *list = memory_alloc(SSP_PARTS_MAX, size);
    if (*list == NULL) xml_no_memory(x);
    return x->status ? NULL : (char *)*list + (size_t)(*count)++ * size;
}

static bool leads_out(const char *source) {
    return source[0] == '/' || strstr(source, "..") != NULL || strchr(source, ':') != NULL;
}

const char *ssp_behind_proxy(const char *source) {
    static const char proxy[] = "proxyfmu://localhost", query[] = "file=";
    const char *in = strncmp(source, proxy, sizeof proxy - 1) == 0 ? strstr(source, query) : NULL;
    return in != NULL ? in + sizeof query - 1 : source;
}

/* Normalises a source: \ between folders becomes /. Returns NULL after an error. */
static char *plain_source(ssp_reader *r, const char *given) {
    const char *source = ssp_behind_proxy(given);
    char *plain =
        memory_copy(strncmp(source, "./", 2) == 0 || strncmp(source, ".\\", 2) == 0 ? source + 2 : source);
    for (char *c = plain; c != NULL && *c != '\0'; c++)
        if (*c == '\\') *c = '/';
    if (plain == NULL) xml_no_memory(r->x);
    return plain;
}

bool ssp_locate(ssp_reader *r, const xmlNode *at, const char *given, char **where) {
    text_local path = {0};
    const char *slash = strrchr(r->path, '/');
    memory_local char *source = plain_source(r, given);
    *where = NULL;
    if (source == NULL) return false;
    if (strchr(source, ':') != NULL || source[0] == '\0' || (r->archive != NULL && leads_out(source)))
        xml_refuse(r->x, at, "source = '%.200s' leads out of the system, which is not supported", given);
    else if (r->archive != NULL)
        text_printf(&path, "%s/%s", r->path, source);
    else if (source[0] == '/' || slash == NULL)
        text_append(&path, source);
    else
        text_printf(&path, "%.*s/%s", (int)(slash - r->path), r->path, source);
    if (!r->x->status && !path.failed) *where = memory_copy(path.data);
    if (*where == NULL) xml_no_memory(r->x);
    return *where != NULL;
}

/* Opens the archive of a component. */
static bool open_component(ssp_reader *r, const xmlNode *at, const char *name, archive **opened,
                           const char **path) {
    const ssp *s = r->system;
    for (int i = 0; i < s->component_count; i++) {
        if (strcmp(s->components[i].name, name) != 0) continue;
        *path = s->components[i].path;
        r->x->status = archive_open(*path, opened, r->x->error);
        return !r->x->status;
    }
    xml_refuse(r->x, at, "sourceBase = 'component' is for the bindings of components");
    return false;
}

static bool load_loose(ssp_reader *r, const char *where, char **bytes, size_t *size) {
    text_local content = {0};
    r->x->status = text_read_file(where, XML_BYTES_MAX, &content, r->x->error);
    if (!r->x->status) *bytes = memory_copy_n(content.data != NULL ? content.data : "", content.size);
    *size = content.size;
    if (!r->x->status && *bytes == NULL) xml_no_memory(r->x);
    return !r->x->status;
}

bool ssp_load(ssp_reader *r, const xmlNode *at, const char *given, const char *component, char **bytes,
              size_t *size, text *shown) {
    archive *inner = NULL, *from = r->archive;
    const char *path = r->path;
    memory_local char *where = NULL, *source = plain_source(r, given);
    *bytes = NULL;
    if (source != NULL && component != NULL && leads_out(source))
        xml_refuse(r->x, at, "source = '%.200s' leads out of the component, which is not supported", given);
    if (!r->x->status && component == NULL) (void)ssp_locate(r, at, given, &where);
    if (!r->x->status && component != NULL && open_component(r, at, component, &inner, &path)) from = inner;
    if (!r->x->status && component != NULL)
        text_printf(shown, "%s/%s", path, source);
    else if (!r->x->status)
        text_append(shown, where);
    if (shown->failed) xml_no_memory(r->x);
    if (!r->x->status && from != NULL)
        r->x->status = archive_read(from, source, XML_BYTES_MAX, bytes, size, r->x->error);
    else if (!r->x->status)
        (void)load_loose(r, where, bytes, size);
    archive_close(&inner);
    return !r->x->status;
}
