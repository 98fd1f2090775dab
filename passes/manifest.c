/* manifest.c - manifest.json to and from structs: what a package says about itself.
 *
 * Whether the zip holds what the manifest says is package.c's question; here every statement is checked against the
 * schema and against the others. Contracts are read by contract.c. Schema: docs/contract.md.
 */
#include "json.h"
#include "package.h"

#include <errno.h>
#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>

enum {
  PROFILES_MOST = 64,
  VERSION_TEXT_MOST = 64, /* bytes of a producer's version */
};

static bool starts_with(const char *text, const char *prefix) {
  return !strncmp(text, prefix, strlen(prefix));
}

/* ---- reading ---- */

static void read_schema_version(pl_json_reader *reader, const json_t *root) {
  uint64_t version = pl_json_unsigned(reader, NULL, root, "pipelink", 1, INT32_MAX);
  if (reader->status || version == PL_SCHEMA_VERSION)
    return;
  reader->code = "L-VERSION";
  pl_json_fail(reader, &(pl_json_path){NULL, "pipelink", 0},
               "schema version %llu, this is pipelink %s and reads version %d", (unsigned long long)version,
               PIPELINK_VERSION, PL_SCHEMA_VERSION);
}

/* "13.0", "22.1.8", "0.1.0-dev": begins with a number, so that versions can be compared. */
static const char *read_producer_version(pl_json_reader *reader, const pl_json_path *path, const json_t *producer,
                                         const char *key) {
  const char *version = pl_json_text(reader, path, producer, key, VERSION_TEXT_MOST);
  size_t digits = strspn(version, "0123456789");
  if (!reader->status && (!digits || digits > 9 || version[digits] != '.'))
    pl_json_fail(reader, &(pl_json_path){path, key, 0}, "'%s' is not a version", version);
  return version;
}

static void read_producer(pl_json_reader *reader, const json_t *root, pl_package *package) {
  static const char *const keys[] = {"pipelink", "llvm", "cuda", NULL};
  pl_json_path path = {NULL, "producer", 0};
  const json_t *producer = pl_json_object(reader, NULL, root, "producer");
  if (!producer || !pl_json_is_object(reader, &path, producer, keys))
    return;
  package->producer_pipelink = read_producer_version(reader, &path, producer, "pipelink");
  package->producer_llvm = read_producer_version(reader, &path, producer, "llvm");
  package->producer_cuda = read_producer_version(reader, &path, producer, "cuda");
}

static void read_identity(pl_json_reader *reader, const json_t *root, pl_package *package) {
  static const char *const keys[] = {"name", "version", NULL};
  pl_json_path path = {NULL, "package", 0};
  const json_t *identity = pl_json_object(reader, NULL, root, "package");
  if (!identity || !pl_json_is_object(reader, &path, identity, keys))
    return;
  package->name = pl_json_name(reader, &path, identity, "name");
  package->version = pl_json_version(reader, &path, identity, "version");
}

static const char *read_member_name(pl_json_reader *reader, const pl_json_path *path, const json_t *value) {
  const char *name = pl_json_item_text(reader, path, value, PL_TEXT_MAX);
  if (!reader->status && !pl_member_name_is_valid(name))
    pl_json_fail(reader, path,
                 "'%s' is not a member's name: a relative path of printable characters without '..', backslash or ':'",
                 pl_printable(reader->arena, name));
  return name;
}

static bool is_sha256(const char *text) {
  return strlen(text) == 64 && strspn(text, "0123456789abcdef") == 64;
}

static void read_members(pl_json_reader *reader, const json_t *root, pl_package *package) {
  static const char *const keys[] = {"file", "bytes", "sha256", NULL};
  const json_t *items = pl_json_array(reader, NULL, root, "members", PL_PACKAGE_MEMBERS_MAX);
  size_t count = json_array_size(items);
  pl_member *members = pl_json_alloc(reader, count, sizeof *members);
  if (!members)
    return;
  pl_json_path list = {NULL, "members", 0};
  for (size_t i = 0; i < count && !reader->status; i++) {
    const json_t *item = json_array_get(items, i);
    pl_json_path path = {&list, NULL, i};
    if (!pl_json_is_object(reader, &path, item, keys))
      return;
    pl_member *member = &members[i];
    pl_json_text(reader, &path, item, "file", PL_TEXT_MAX);
    member->name = read_member_name(reader, &(pl_json_path){&path, "file", 0}, json_object_get(item, "file"));
    member->size = pl_json_unsigned(reader, &path, item, "bytes", 0, PL_PACKAGE_MEMBER_MAX);
    member->sha256 = pl_json_text(reader, &path, item, "sha256", 64);
    if (reader->status)
      return;
    if (!is_sha256(member->sha256))
      pl_json_fail(reader, &(pl_json_path){&path, "sha256", 0}, "must be 64 lower-case hexadecimal digits");
    else if (!strcmp(member->name, "manifest.json"))
      pl_json_fail(reader, &(pl_json_path){&path, "file", 0}, "the manifest does not list itself");
    else if (i && strcmp(members[i - 1].name, member->name) >= 0)
      pl_json_fail(reader, &(pl_json_path){&path, "file", 0}, "'%s' after '%s': members are ordered by name, each once",
                   member->name, members[i - 1].name);
  }
  package->members = members;
  package->member_count = count;
}

/* `name` is listed among the members and lies in `folder`. */
static void check_reference(pl_json_reader *reader, const pl_json_path *path, const pl_package *package,
                            const char *name, const char *folder) {
  if (reader->status)
    return;
  if (!starts_with(name, folder))
    pl_json_fail(reader, path, "'%s' does not lie in '%s'", name, folder);
  else if (!pl_package_member(package, name))
    pl_json_fail(reader, path, "'%s' is not among the members", name);
}

/* "headers" or "libraries". */
static const char *const *read_names(pl_json_reader *reader, const json_t *root, const pl_package *package,
                                     const char *key, const char *folder, size_t *count) {
  const json_t *items = pl_json_array(reader, NULL, root, key, PL_PACKAGE_MEMBERS_MAX);
  const char **names = pl_json_alloc(reader, json_array_size(items), sizeof *names);
  if (!names)
    return NULL;
  pl_json_path list = {NULL, key, 0};
  *count = json_array_size(items);
  for (size_t i = 0; i < *count && !reader->status; i++) {
    pl_json_path path = {&list, NULL, i};
    names[i] = read_member_name(reader, &path, json_array_get(items, i));
    check_reference(reader, &path, package, names[i], folder);
    if (!reader->status && i && strcmp(names[i - 1], names[i]) >= 0)
      pl_json_fail(reader, &path, "'%s' after '%s': ordered by name, each once", names[i], names[i - 1]);
  }
  return names;
}

static bool is_profile_name(const char *name) {
  return *name && strlen(name) <= 32 &&
         strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(name);
}

static void read_code(pl_json_reader *reader, const pl_json_path *path, const json_t *item, const pl_package *package,
                      pl_code *code) {
  static const char *const keys[] = {"file", "contract", NULL};
  if (!pl_json_is_object(reader, path, item, keys))
    return;
  code->member = pl_json_text(reader, path, item, "file", PL_TEXT_MAX);
  pl_json_path file = {path, "file", 0};
  if (!reader->status)
    code->member = read_member_name(reader, &file, json_object_get(item, "file"));
  check_reference(reader, &file, package, code->member, "code/");
  const json_t *contract = pl_json_array(reader, path, item, "contract", SIZE_MAX);
  if (reader->status)
    return;
  const char *where = pl_arena_printf(reader->arena, "%s: code.%s.contract", reader->where, code->profile);
  if (!where) {
    pl_json_out_of_memory(reader);
    return;
  }
  reader->status = pl_contract_parse(contract, where, reader->arena, reader->sink, &code->contract);
  if (reader->status)
    return;
  if (strcmp(code->contract.stage, package->name) != 0 || strcmp(code->contract.version, package->version) != 0)
    pl_json_fail(reader, path, "the contract is of stage %s %s, the package of %s %s", code->contract.stage,
                 code->contract.version, package->name, package->version);
}

static int by_profile(const void *a, const void *b) {
  return strcmp(((const pl_code *)a)->profile, ((const pl_code *)b)->profile);
}

static void read_codes(pl_json_reader *reader, const json_t *root, pl_package *package) {
  const json_t *object = pl_json_object(reader, NULL, root, "code");
  pl_json_path list = {NULL, "code", 0};
  size_t count = json_object_size(object), at = 0;
  if (!reader->status && (!count || count > PROFILES_MOST))
    pl_json_fail(reader, &list, "%zu profiles, must be 1 to %d", count, PROFILES_MOST);
  pl_code *codes = pl_json_alloc(reader, count, sizeof *codes);
  if (!codes)
    return;
  const char *profile;
  json_t *item;
  json_object_foreach((json_t *)object, profile, item) {
    pl_code *code = &codes[at++];
    if (!is_profile_name(profile))
      pl_json_fail(reader, &list, "'%s' is not a profile's name", pl_printable(reader->arena, profile));
    code->profile = pl_arena_strdup(reader->arena, profile);
    if (!code->profile)
      pl_json_out_of_memory(reader);
    if (reader->status)
      return;
    pl_json_path path = {&list, code->profile, 0};
    read_code(reader, &path, item, package, code);
    for (size_t i = 0; i + 1 < at && !reader->status; i++)
      if (!strcmp(codes[i].member, code->member))
        pl_json_fail(reader, &path, "'%s' is the code of '%s' already", code->member, codes[i].profile);
    if (reader->status)
      return;
  }
  qsort(codes, count, sizeof *codes, by_profile);
  package->codes = codes;
  package->code_count = count;
}

/* Every member has a purpose. References are unique and found, so counting them is enough to know. */
static void check_members_are_used(pl_json_reader *reader, const pl_package *package) {
  if (reader->status || package->code_count + package->header_count + package->library_count == package->member_count)
    return;
  for (size_t i = 0; i < package->member_count; i++) {
    const char *name = package->members[i].name;
    bool is_used = false;
    for (size_t j = 0; j < package->code_count && !is_used; j++)
      is_used = !strcmp(package->codes[j].member, name);
    for (size_t j = 0; j < package->header_count && !is_used; j++)
      is_used = !strcmp(package->headers[j], name);
    for (size_t j = 0; j < package->library_count && !is_used; j++)
      is_used = !strcmp(package->libraries[j], name);
    if (!is_used) {
      pl_json_path list = {NULL, "members", 0};
      pl_json_fail(reader, &(pl_json_path){&list, NULL, i}, "'%s' is neither code nor header nor library", name);
      return;
    }
  }
}

pl_status pl_manifest_parse(const char *text, size_t size, const char *path, pl_arena *arena, pl_sink *sink,
                            pl_package *package) {
  static const char *const keys[] = {"pipelink", "package",   "producer", "code",
                                     "headers",  "libraries", "members",  NULL};
  const char *where = pl_arena_printf(arena, "%s: manifest.json", path);
  *package = (pl_package){.path = path, .manifest = pl_arena_copy(arena, text, size)};
  if (!where || !package->manifest)
    return -ENOMEM;
  json_t *root = pl_json_load(text, size, where, sink);
  if (!root)
    return sink->out_of_memory ? -ENOMEM : -EBADMSG;
  pl_json_reader reader = {.where = where, .code = "L-MANIFEST", .arena = arena, .sink = sink};
  if (!json_is_object(root))
    pl_json_fail(&reader, NULL, "must be an object");
  /* The version first: keys that another version knows are not misspelt. */
  read_schema_version(&reader, root);
  if (pl_json_is_object(&reader, NULL, root, keys)) {
    read_identity(&reader, root, package);
    read_producer(&reader, root, package);
    read_members(&reader, root, package);
    package->headers = read_names(&reader, root, package, "headers", "include/", &package->header_count);
    package->libraries = read_names(&reader, root, package, "libraries", "lib/", &package->library_count);
    read_codes(&reader, root, package);
    check_members_are_used(&reader, package);
  }
  json_decref(root);
  return reader.status;
}

static int by_name(const void *key, const void *member) {
  return strcmp(key, ((const pl_member *)member)->name);
}

const pl_member *pl_package_member(const pl_package *package, const char *name) {
  return package->member_count
             ? bsearch(name, package->members, package->member_count, sizeof *package->members, by_name)
             : NULL;
}

const pl_code *pl_package_code(const pl_package *package, const char *profile) {
  for (size_t i = 0; i < package->code_count; i++)
    if (!strcmp(package->codes[i].profile, profile))
      return &package->codes[i];
  return NULL;
}

/* ---- writing ---- */

/* json_object_set_new and json_array_append_new take NULL for a failed value and then fail themselves, so a chain of
 * them needs one check. */
static json_t *members_json(const pl_member *members, size_t count) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < count; i++)
    if (json_array_append_new(list, json_pack("{s:s, s:I, s:s}", "file", members[i].name, "bytes",
                                              (json_int_t)members[i].size, "sha256", members[i].sha256))) {
      json_decref(list);
      return NULL;
    }
  return list;
}

static json_t *names_json(const pl_member *members, size_t count, const char *folder) {
  json_t *list = json_array();
  for (size_t i = 0; list && i < count; i++)
    if (starts_with(members[i].name, folder) && json_array_append_new(list, json_string(members[i].name))) {
      json_decref(list);
      return NULL;
    }
  return list;
}

static json_t *codes_json(const pl_pack_code *codes, size_t count) {
  json_t *object = json_object();
  for (size_t i = 0; object && i < count; i++) {
    json_t *file = json_sprintf("code/%s.bc", codes[i].profile);
    if (json_object_set_new(object, codes[i].profile,
                            json_pack("{s:o, s:O}", "file", file, "contract", codes[i].contract))) {
      json_decref(object);
      return NULL;
    }
  }
  return object;
}

pl_status pl_manifest_write(const char *name, const char *version, const char *cuda_version, const pl_pack_code *codes,
                            size_t code_count, const pl_member *members, size_t member_count, pl_sink *sink,
                            pl_buffer *text) {
  json_t *root =
      json_pack("{s:i, s:{s:s, s:s}, s:{s:s, s:s, s:s}, s:o, s:o, s:o, s:o}", /* in this order */
                "pipelink", PL_SCHEMA_VERSION, "package", "name", name, "version", version, "producer", "pipelink",
                PIPELINK_VERSION, "llvm", LLVM_VERSION_STRING, "cuda", cuda_version, "code",
                codes_json(codes, code_count), "headers", names_json(members, member_count, "include/"), "libraries",
                names_json(members, member_count, "lib/"), "members", members_json(members, member_count));
  if (pl_json_print(root, JSON_INDENT(2), text)) {
    sink->out_of_memory = true;
    return -ENOMEM;
  }
  return 0;
}
