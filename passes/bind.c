/* bind.c - second phase: the graph of stage instances and seams.
 *
 * Every package gives one instance named after the last part of its name, unless the script names instances itself.
 * Every import is bound to the one export of its name, or to what the script says. What the bound sides think of
 * each other is check.c's business.
 */
#include "link.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *last_part(const char *name) {
  const char *dot = strrchr(name, '.');
  return dot ? dot + 1 : name;
}

static pl_status add_instance(pl_link *link, const char *name, const pl_package *package) {
  for (size_t i = 0; i < link->instance_count; i++) {
    if (strcmp(link->instances[i].name, name))
      continue;
    const pl_package *other = link->instances[i].package;
    if (other == package || !strcmp(other->path, package->path))
      pl_report(link->sink, PL_ERROR, "L-SYM", "package %s is given twice", package->name);
    else
      pl_report(link->sink, PL_ERROR, "L-SYM", "two stage instances are called '%s'", name);
    pl_detail(link->sink, "%s %s from %s", other->name, other->version, other->path);
    pl_detail(link->sink, "%s %s from %s", package->name, package->version, package->path);
    pl_fix(link->sink, "give them names in a link script: {\"pipelink\": 1, \"instances\": {\"%s_a\": \"%s\", ...}}",
           name, package->name);
    return -EINVAL;
  }
  const pl_code *code = pl_package_code(package, link->profile->name);
  link->instances[link->instance_count++] =
      (pl_instance){.name = name, .package = package, .code = code, .contract = &code->contract};
  return 0;
}

static const pl_package *find_package(pl_link *link, const char *name, size_t *matches) {
  const pl_package *found = NULL;
  *matches = 0;
  for (size_t i = 0; i < link->package_count; i++) {
    if (!strcmp(link->packages[i].name, name)) {
      found = &link->packages[i];
      ++*matches;
    }
  }
  return found;
}

static pl_status make_instances(pl_link *link) {
  const pl_script *script = &link->script;
  link->instances = pl_arena_array(link->arena, link->package_count + script->instance_count, sizeof *link->instances);
  if (!link->instances)
    return pl_out_of_memory(link->sink);
  pl_status status = 0;
  for (size_t i = 0; i < script->instance_count; i++) {
    size_t matches;
    const pl_package *package = find_package(link, script->instances[i].package, &matches);
    if (matches != 1) {
      pl_report(link->sink, PL_ERROR, "L-SCRIPT", "%s: instance '%s' names package '%s', which is %s", script->path,
                script->instances[i].name, script->instances[i].package,
                matches ? "given more than once" : "not given");
      return -EINVAL;
    }
    if ((status = add_instance(link, script->instances[i].name, package)))
      return status;
  }
  for (size_t i = 0; i < link->package_count; i++) {
    bool named = false;
    for (size_t k = 0; k < script->instance_count; k++)
      named |= !strcmp(script->instances[k].package, link->packages[i].name);
    if (!named && (status = add_instance(link, last_part(link->packages[i].name), &link->packages[i])))
      return status;
  }
  return 0;
}

/* ---- one order ----
 *
 * The command line's order means nothing: everything below works on packages and instances in the order of their names,
 * so that the same packages give the same code and the same messages however they are listed. */

static int by_package_name(const void *a, const void *b) {
  const pl_package *left = a, *right = b;
  int order = strcmp(left->name, right->name);
  if (!order)
    order = strcmp(left->version, right->version);
  return order ? order : strcmp(left->path, right->path);
}

static int by_instance_name(const void *a, const void *b) {
  const pl_instance *left = a, *right = b;
  return strcmp(left->name, right->name);
}

/* Splits "instance.seam"; the instance's name may hold dots itself. */
static bool is_seam(const pl_link *link, size_t instance, const pl_seam *seam, const char *dotted) {
  size_t length = strlen(link->instances[instance].name);
  return !strncmp(dotted, link->instances[instance].name, length) && dotted[length] == '.' &&
         !strcmp(dotted + length + 1, seam->name);
}

typedef struct candidate {
  size_t instance;
  const pl_seam *seam;
} candidate;

/* All exports that could satisfy an import: the script's choice, or every export of that name. */
static size_t find_exports(pl_link *link, const pl_seam *import, const char *chosen, candidate *first) {
  size_t count = 0;
  for (size_t i = 0; i < link->instance_count; i++) {
    const pl_contract *contract = link->instances[i].contract;
    for (size_t k = 0; k < contract->seam_count; k++) {
      const pl_seam *seam = &contract->seams[k];
      if (!seam->is_export || (chosen ? !is_seam(link, i, seam, chosen) : strcmp(seam->name, import->name)))
        continue;
      if (!count++)
        *first = (candidate){i, seam};
    }
  }
  return count;
}

static void report_providers(pl_link *link, size_t importer, const pl_seam *import) {
  pl_report(link->sink, PL_ERROR, "L-SYM", "two providers for import '%s'", import->name);
  pl_link_side(link, "imported by", importer, import->location, "%s", import->function);
  const char *example = NULL;
  for (size_t i = 0; i < link->instance_count; i++) {
    const pl_contract *contract = link->instances[i].contract;
    for (size_t k = 0; k < contract->seam_count; k++) {
      if (contract->seams[k].is_export && !strcmp(contract->seams[k].name, import->name)) {
        pl_link_side(link, "exported by", i, contract->seams[k].location, "%s", contract->seams[k].function);
        example = link->instances[i].name;
      }
    }
  }
  pl_fix(link->sink, "choose in a link script: {\"pipelink\": 1, \"bind\": {\"%s.%s\": \"%s.%s\"}}",
         link->instances[importer].name, import->name, example, import->name);
}

static void report_unresolved(pl_link *link, size_t importer, const pl_seam *import, const char *chosen) {
  pl_report(link->sink, PL_ERROR, "L-SYM", "unresolved import '%s'", import->name);
  pl_link_side(link, "imported by", importer, import->location, "%s", import->function);
  if (chosen)
    pl_detail(link->sink, "the link script binds it to '%s', which no stage exports", chosen);
  for (size_t i = 0; i < link->instance_count; i++)
    for (size_t k = 0; k < link->instances[i].contract->seam_count; k++)
      if (link->instances[i].contract->seams[k].is_export)
        pl_detail(link->sink, "exports at hand: %s.%s", link->instances[i].name,
                  link->instances[i].contract->seams[k].name);
  pl_fix(link->sink, "add a package that exports '%s', or bind another export in a link script", import->name);
}

static pl_status bind_imports(pl_link *link) {
  size_t imports = 0;
  for (size_t i = 0; i < link->instance_count; i++)
    imports += link->instances[i].contract->seam_count;
  link->bindings = pl_arena_array(link->arena, imports, sizeof *link->bindings);
  if (!link->bindings)
    return pl_out_of_memory(link->sink);
  pl_status status = 0;
  for (size_t i = 0; i < link->instance_count; i++) {
    const pl_contract *contract = link->instances[i].contract;
    for (size_t k = 0; k < contract->seam_count; k++) {
      const pl_seam *import = &contract->seams[k];
      if (import->is_export)
        continue;
      const char *chosen = NULL;
      for (size_t b = 0; b < link->script.binding_count; b++) {
        if (is_seam(link, i, import, link->script.bindings[b].import)) {
          chosen = link->script.bindings[b].export;
          link->script.bindings[b].used = true;
        }
      }
      candidate export = {0};
      size_t count = find_exports(link, import, chosen, &export);
      if (count == 1) {
        link->bindings[link->binding_count++] = (pl_binding){i, export.instance, import, export.seam};
        continue;
      }
      if (count)
        report_providers(link, i, import);
      else
        report_unresolved(link, i, import, chosen);
      status = -EINVAL;
    }
  }
  return status;
}

/* What the script binds that nobody wants. */
static pl_status report_unused_bindings(pl_link *link) {
  pl_status status = 0;
  for (size_t b = 0; b < link->script.binding_count; b++) {
    if (!link->script.bindings[b].used) {
      pl_report(link->sink, PL_ERROR, "L-SCRIPT", "%s: no stage imports or consumes '%s'", link->script.path,
                link->script.bindings[b].import);
      pl_fix(link->sink, "write it as INSTANCE.IMPORT or INSTANCE.RING");
      status = -EINVAL;
    }
  }
  return status;
}

/* A library takes part once per package, however many instances the package has. */
static pl_status collect_libraries(pl_link *link) {
  size_t count = 0;
  for (size_t i = 0; i < link->instance_count; i++)
    count += link->instances[i].package->library_count;
  link->libraries = pl_arena_array(link->arena, count, sizeof *link->libraries);
  if (!link->libraries)
    return pl_out_of_memory(link->sink);
  for (size_t i = 0; i < link->instance_count; i++) {
    const pl_package *package = link->instances[i].package;
    bool seen = false;
    for (size_t k = 0; k < i; k++)
      seen |= link->instances[k].package == package;
    for (size_t k = 0; k < package->library_count && !seen; k++) {
      const pl_member *member = pl_package_member(package, package->libraries[k]);
      const char *name = pl_arena_printf(link->arena, "%s(%s)", package->path, member->name);
      pl_link_library *library = &link->libraries[link->library_count];
      if (!name)
        return pl_out_of_memory(link->sink);
      pl_status status = pl_library_classify(name, member->data, member->size, link->sink, &library->input);
      if (status)
        return status;
      library->instance = i;
      link->library_count++;
    }
  }
  return 0;
}

pl_status pl_phase_bind(pl_link *link) {
  qsort(link->packages, link->package_count, sizeof *link->packages, by_package_name);
  pl_status status = make_instances(link);
  qsort(link->instances, link->instance_count, sizeof *link->instances, by_instance_name);
  if (!status)
    status = bind_imports(link);
  if (!status)
    status = pl_bind_resources(link);
  if (!status)
    status = report_unused_bindings(link);
  if (!status)
    status = collect_libraries(link);
  return status;
}

void pl_print_bind(const pl_link *link, pl_buffer *text) {
  for (size_t i = 0; i < link->instance_count; i++)
    pl_buffer_printf(text, "instance %s = %s %s\n", link->instances[i].name, link->instances[i].package->name,
                     link->instances[i].package->version);
  for (size_t i = 0; i < link->binding_count; i++) {
    const pl_binding *binding = &link->bindings[i];
    pl_buffer_printf(text, "bind %s.%s -> %s.%s  %s\n", link->instances[binding->importer].name, binding->import->name,
                     link->instances[binding->exporter].name, binding->export->name, binding->export->function);
  }
  for (size_t i = 0; i < link->library_count; i++)
    pl_buffer_printf(text, "library %s\n", link->libraries[i].input.name);
}
