/* check.c - third phase: do both sides of every seam mean the same, and does each stage fit the link?
 *
 * Every refusal is a named diagnostic with both sides; what passes leaves a row of evidence. All of the link is checked
 * before it ends: the sink says whether an error was among it. Reads contracts only: what the code does is verify's
 * part.
 */
#include "link.h"

#include <string.h>

/* The parts of a signature that differ, and why: "argument 1", "the result". */
typedef struct mismatch {
  const char *parts; /* "argument 1, argument 3"; NULL: none */
  const char **reasons;
  size_t count;
} mismatch;

static void add_mismatch(pl_link *link, mismatch *found, const char *part, const char *why) {
  found->reasons[found->count++] = why;
  if (found->parts && part)
    part = pl_arena_printf(link->arena, "%s, %s", found->parts, part);
  found->parts = part ? part : "a part";
}

static void report_mismatch(pl_link *link, const pl_binding *binding, const mismatch *found) {
  pl_report(link->sink, PL_ERROR, "L-SIG", "call seam '%s': %s %s", binding->import->name, found->parts,
            found->count == 1 ? "differs" : "differ");
  for (size_t i = 0; i < found->count; i++)
    pl_detail(link->sink, "%s", found->reasons[i] ? found->reasons[i] : "out of memory");
  pl_link_side(link, "imported by", binding->importer, binding->import->location, "%s", binding->import->function);
  pl_link_side(link, "exported by", binding->exporter, binding->export->location, "%s", binding->export->function);
  pl_consequence(link->sink, "caller and callee would read the same bytes as different values");
  pl_fix(link->sink, "declare the import as the export is defined, best by including the provider's header");
}

static void check_signature(pl_link *link, const pl_binding *binding) {
  const pl_seam *import = binding->import, *export = binding->export;
  const char *why = NULL;
  mismatch found = {.reasons = pl_arena_array(link->arena, import->argument_count + 1, sizeof(char *))};
  if (!found.reasons) {
    pl_out_of_memory(link->sink);
    return;
  }
  bool same_count = import->argument_count == export->argument_count;
  if (!same_count)
    add_mismatch(
        link, &found, "the number of arguments",
        pl_arena_printf(link->arena, "%zu passed, %zu expected", import->argument_count, export->argument_count));
  /* An argument goes from importer to exporter, the result the other way. */
  for (size_t i = 0; same_count && i < import->argument_count; i++)
    if (!pl_type_accepts(export->arguments[i], import->arguments[i], link->arena, &why))
      add_mismatch(link, &found, pl_arena_printf(link->arena, "argument %zu", i + 1), why);
  if (same_count && !pl_type_accepts(import->result, export->result, link->arena, &why))
    add_mismatch(link, &found, "the result", why);
  if (found.count)
    report_mismatch(link, binding, &found);
  else
    pl_evidence(link, PL_EVIDENCE_DECLARED, "L-SIG", pl_arena_printf(link->arena, "call seam '%s'", import->name),
                "%zu argument%s and the result have the same layout on both sides", import->argument_count,
                import->argument_count == 1 ? "" : "s");
}

/* An export must have a body: in the module, or in a library of its package. */
static void check_defined(pl_link *link, size_t instance, const pl_seam *export) {
  const char *subject = pl_arena_printf(link->arena, "export '%s'", export->name);
  if (export->is_defined) {
    pl_evidence(link, PL_EVIDENCE_VERIFIED, "L-SYM", subject, "%s has a body", export->symbol);
    return;
  }
  const pl_package *package = link->instances[instance].package;
  for (size_t i = 0; i < link->library_count; i++)
    if (link->instances[link->libraries[i].instance].package == package &&
        pl_library_defines(&link->libraries[i].input, export->symbol)) {
      pl_evidence(link, PL_EVIDENCE_VERIFIED, "L-SYM", subject, "%s is defined in %s", export->symbol,
                  link->libraries[i].input.name);
      return;
    }
  pl_report(link->sink, PL_ERROR, "L-SYM", "the contract exports '%s' but nothing in the package defines it",
            export->name);
  pl_link_side(link, "exported by", instance, export->location, "%s", export->function);
  pl_detail(link->sink, "looked for %s in %s and %zu libraries", export->symbol, link->instances[instance].code->member,
            package->library_count);
  pl_fix(link->sink, "give the function a body, or pack the library that has it with --lib=");
}

/* Registers a thread may have when all of a CTA's threads are resident. */
static unsigned register_budget(const pl_link *link, unsigned threads) {
  unsigned budget = threads ? link->profile->registers_per_sm / threads & ~7u : 255;
  return budget > 255 ? 255 : budget;
}

static unsigned total_warps(const pl_link *link) {
  unsigned warps = 0;
  for (size_t i = 0; i < link->instance_count; i++)
    for (size_t k = 0; k < link->instances[i].contract->role_count; k++)
      warps += link->instances[i].contract->roles[k].warps;
  return warps;
}

/* A function that ships compiled keeps its register count: it must fit what the CTA leaves each thread. */
static void check_compiled_registers(pl_link *link, const pl_binding *binding) {
  unsigned threads = total_warps(link) * 32, budget = register_budget(link, threads);
  for (size_t i = 0; i < link->library_count; i++) {
    unsigned registers = pl_library_registers(&link->libraries[i].input, binding->export->symbol);
    if (registers <= budget) {
      if (registers)
        pl_evidence(link, PL_EVIDENCE_VERIFIED, "L-REGS",
                    pl_arena_printf(link->arena, "compiled export '%s'", binding->export->name),
                    "%u registers, a CTA of %u threads leaves %u", registers, threads, budget);
      continue;
    }
    pl_report(link->sink, PL_ERROR, "L-REGS", "'%s' needs %u registers, a CTA of %u threads leaves %u",
              binding->export->name, registers, threads, budget);
    pl_detail(link->sink, "compiled in %s", link->libraries[i].input.name);
    pl_link_side_alone(link, "exported by", binding->exporter, binding->export->location);
    for (size_t k = 0; k < link->instances[binding->importer].contract->role_count; k++) {
      const pl_role *role = &link->instances[binding->importer].contract->roles[k];
      pl_link_side(link, pl_arena_printf(link->arena, "called by role '%s' of", role->name), binding->importer,
                   role->location, "%u warps", role->warps);
    }
    pl_fix(link->sink, "ship the function as bitcode, compile it with --maxrregcount=%u, or use fewer warps", budget);
    return;
  }
}

/* How many CTAs a cluster may have is the solver's to say. */
static void check_clusters(pl_link *link) {
  const pl_role *first = NULL;
  size_t owner = 0;
  for (size_t i = 0; i < link->instance_count; i++) {
    for (size_t k = 0; k < link->instances[i].contract->role_count; k++) {
      const pl_role *role = &link->instances[i].contract->roles[k];
      if (!role->cluster[0])
        continue;
      if (first && memcmp(first->cluster, role->cluster, sizeof role->cluster)) {
        pl_report(link->sink, PL_ERROR, "L-CLUSTER", "roles want different cluster shapes");
        pl_link_role(link, owner, first, "%u x %u x %u", first->cluster[0], first->cluster[1], first->cluster[2]);
        pl_link_role(link, i, role, "%u x %u x %u", role->cluster[0], role->cluster[1], role->cluster[2]);
        pl_consequence(link->sink, "one of the roles would address CTAs that its cluster does not have");
        pl_fix(link->sink, "give both roles the same cluster, or leave it out where a role does not count on one");
        return;
      }
      first = role;
      owner = i;
    }
  }
  if (!first)
    return;
  memcpy(link->cluster, first->cluster, sizeof link->cluster);
  pl_evidence(link, PL_EVIDENCE_VERIFIED, "L-CLUSTER", "the kernel", "clusters of %u x %u x %u", first->cluster[0],
              first->cluster[1], first->cluster[2]);
}

pl_status pl_phase_check(pl_link *link) {
  size_t roles = 0;
  for (size_t i = 0; i < link->instance_count; i++) {
    const pl_contract *contract = link->instances[i].contract;
    roles += contract->role_count;
    for (size_t k = 0; k < contract->seam_count; k++)
      if (contract->seams[k].is_export)
        check_defined(link, i, &contract->seams[k]);
  }
  for (size_t i = 0; i < link->binding_count; i++) {
    check_signature(link, &link->bindings[i]);
    check_compiled_registers(link, &link->bindings[i]);
  }
  if (!roles) {
    pl_report(link->sink, PL_ERROR, "L-ROLE", "no stage has a role: the kernel would have no threads");
    pl_fix(link->sink, "add the package whose stage declares [[pipelink::role(\"name\", warps)]]");
  }
  check_clusters(link);
  pl_check_rings(link);
  pl_check_guards(link);
  return pl_sink_status(link->sink);
}
