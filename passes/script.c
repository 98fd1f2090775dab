/* script.c - the link script: instances, bindings, pins and the kernel's name, where the defaults do not do.
 *
 *   {"pipelink": 1,
 *    "entry": "fused",
 *    "instances": {"left": "org.hello.caller", "right": "org.hello.caller"},
 *    "bind": {"left.scale": "fast.scale"},
 *    "pin": {"left.call.first_warp": 4}}
 *
 * docs/link-script.md describes it for users. Nothing here looks at packages: bind.c gives the names meaning.
 */
#include "link.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SCRIPT_BYTES_MAX = 1 << 20 };

static pl_status bad(pl_sink *sink, const char *path, const char *what) {
  pl_report(sink, PL_ERROR, "L-SCRIPT", "%s: %s", path, what);
  return -EBADMSG;
}

/* A member that is an object of the given kind of values, or absent. */
static pl_status object_of(pl_sink *sink, const char *path, const json_t *root, const char *key,
                           bool (*is_valid)(const json_t *), const char *expected, json_t **object) {
  *object = json_object_get(root, key);
  if (!*object)
    return 0;
  if (!json_is_object(*object)) {
    pl_report(sink, PL_ERROR, "L-SCRIPT", "%s: '%s' is not an object", path, key);
    return -EBADMSG;
  }
  const char *name;
  json_t *value;
  json_object_foreach(*object, name, value) {
    if (!is_valid(value)) {
      pl_report(sink, PL_ERROR, "L-SCRIPT", "%s: '%s.%s' is not %s", path, key, name, expected);
      return -EBADMSG;
    }
  }
  return 0;
}

static bool is_text(const json_t *value) {
  return json_is_string(value) && *json_string_value(value);
}
static bool is_count(const json_t *value) {
  return json_is_integer(value) && json_integer_value(value) >= 0;
}

static pl_status parse(const json_t *root, const char *path, pl_arena *arena, pl_sink *sink, pl_script *script) {
  static const char *const known[] = {"pipelink", "entry", "instances", "bind", "pin"};
  json_t *instances, *bindings, *pins, *value;
  const char *key;
  pl_status status;

  if (!json_is_object(root))
    return bad(sink, path, "a link script is a JSON object");
  const json_t *version = json_object_get(root, "pipelink");
  if (!json_is_integer(version) || json_integer_value(version) != 1)
    return bad(sink, path, "\"pipelink\" must be 1, the version of the script's format");
  json_object_foreach((json_t *)root, key, value) {
    bool found = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      found |= !strcmp(key, known[i]);
    if (!found) {
      pl_report(sink, PL_ERROR, "L-SCRIPT", "%s: unknown key '%s'", path, key);
      pl_fix(sink, "known keys are entry, instances, bind and pin");
      return -EBADMSG;
    }
  }
  value = json_object_get(root, "entry");
  if (value && !is_text(value))
    return bad(sink, path, "'entry' is not a name");
  if ((value && !(script->entry = pl_arena_strdup(arena, json_string_value(value)))))
    return pl_out_of_memory(sink);

  if ((status = object_of(sink, path, root, "instances", is_text, "the name of a package", &instances)) ||
      (status = object_of(sink, path, root, "bind", is_text, "INSTANCE.EXPORT", &bindings)) ||
      (status = object_of(sink, path, root, "pin", is_count, "a number that is not negative", &pins)))
    return status;

  script->instances = pl_arena_array(arena, json_object_size(instances), sizeof *script->instances);
  script->bindings = pl_arena_array(arena, json_object_size(bindings), sizeof *script->bindings);
  script->pins = pl_arena_array(arena, json_object_size(pins), sizeof *script->pins);
  bool complete = script->instances && script->bindings && script->pins;
  if (!complete)
    return pl_out_of_memory(sink);
  json_object_foreach(instances, key, value) {
    pl_script_instance *item = &script->instances[script->instance_count++];
    item->name = pl_arena_strdup(arena, key);
    item->package = pl_arena_strdup(arena, json_string_value(value));
    complete &= item->name && item->package;
  }
  json_object_foreach(bindings, key, value) {
    pl_script_binding *item = &script->bindings[script->binding_count++];
    item->import = pl_arena_strdup(arena, key);
    item->export = pl_arena_strdup(arena, json_string_value(value));
    complete &= item->import && item->export;
  }
  json_object_foreach(pins, key, value) {
    pl_pin *item = &script->pins[script->pin_count++];
    item->name = pl_arena_strdup(arena, key);
    item->value = (uint64_t)json_integer_value(value);
    complete &= item->name != NULL;
  }
  return complete ? 0 : pl_out_of_memory(sink);
}

pl_status pl_script_read(const char *path, pl_arena *arena, pl_sink *sink, pl_script *script) {
  *script = (pl_script){.path = path};
  if (!path)
    return 0;
  char *text;
  size_t size;
  pl_status status = pl_file_read(path, SCRIPT_BYTES_MAX, &text, &size);
  if (status) {
    pl_report(sink, PL_ERROR, "L-SCRIPT", "cannot read link script %s: %s", path, strerror(-status));
    return status;
  }
  json_t *root = pl_json_load(text, size, path, sink);
  status = root ? parse(root, path, arena, sink, script) : -EBADMSG;
  json_decref(root);
  free(text);
  return status;
}
