/* map_picture.c - draws a placement, section by section from top to bottom: warps, rings, shared memory, barriers,
 * tensor memory. Every section leaves out what the kernel does not use. */
#include "map_picture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 1120, MARGIN = 28, WARP = 32, PHASE_LAST = 255 };

/* Muted fills that black text reads well on; the same owner has the same one in every section. */
static const char *const COLOURS[] = {"#9ecae1", "#fdae6b", "#a1d99b", "#bcbddc",
                                      "#fa9fb5", "#d9d08f", "#c7a98b", "#80cdc1"};
enum { COLOUR_COUNT = sizeof COLOURS / sizeof *COLOURS };

typedef struct picture {
  const json_t *map;
  pl_buffer body; /* drawn first: the height is known at the end */
  double y;       /* where the next section begins */
} picture;

/* ---- reading ---- */

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static double number_of(const json_t *object, const char *key) {
  return (double)json_integer_value(json_object_get(object, key));
}

/* Owners in the order in which they are met: instances of roles, then of memory. */
static const char *colour_of(const picture *to, const char *instance) {
  const json_t *roles = json_object_get(to->map, "roles");
  size_t index, place = 0;
  json_t *role;
  json_array_foreach(roles, index, role) {
    bool is_new = true;
    for (size_t i = 0; i < index; i++)
      is_new &= strcmp(text_of(json_array_get(roles, i), "instance"), text_of(role, "instance")) != 0;
    if (!strcmp(text_of(role, "instance"), instance))
      return COLOURS[place % COLOUR_COUNT];
    place += is_new;
  }
  size_t sum = place;
  for (const char *c = instance; *c; c++)
    sum += (unsigned char)*c;
  return COLOURS[sum % COLOUR_COUNT];
}

/* ---- drawing ---- */

static void put_escaped(pl_buffer *out, const char *text) {
  for (; *text; text++) {
    if (*text == '<' || *text == '>' || *text == '&' || *text == '"')
      pl_buffer_printf(out, "&#%d;", *text);
    else if ((unsigned char)*text >= 32)
      pl_buffer_append(out, text, 1);
  }
}

static void put_text(picture *to, double x, double y, const char *attributes, const char *text) {
  if (!*text)
    return;
  pl_buffer_printf(&to->body, "<text x=\"%.1f\" y=\"%.1f\" %s>", x, y, attributes);
  put_escaped(&to->body, text);
  pl_buffer_puts(&to->body, "</text>\n");
}

/* A filled box with a tooltip. */
static void put_box(picture *to, double x, double y, double width, double height, const char *fill, const char *tip) {
  pl_buffer_printf(&to->body,
                   "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\" stroke=\"#444\" "
                   "stroke-width=\"0.7\"><title>",
                   x, y, width, height, fill);
  put_escaped(&to->body, tip);
  pl_buffer_puts(&to->body, "</title></rect>\n");
}

static void put_arrow(picture *to, double x1, double x2, double y) {
  pl_buffer_printf(
      &to->body,
      "<path d=\"M%.1f %.1f H%.1f m-6 -4 l6 4 l-6 4\" fill=\"none\" stroke=\"#444\" stroke-width=\"1.2\"/>\n", x1, y,
      x2);
}

static void begin_section(picture *to, const char *title) {
  to->y += 34;
  put_text(to, MARGIN, to->y, "class=\"section\"", title);
  to->y += 12;
}

/* "232,448" */
static const char *grouped(double number, char out[32]) {
  char digits[32];
  int length = snprintf(digits, sizeof digits, "%.0f", number), at = 0;
  for (int i = 0; i < length && at < 30; i++) {
    if (i && (length - i) % 3 == 0)
      out[at++] = ',';
    out[at++] = digits[i];
  }
  out[at] = 0;
  return out;
}

/* ---- sections ---- */

static void draw_title(picture *to) {
  char line[320], bytes[32], limit[32];
  const json_t *shared = json_object_get(to->map, "shared");
  to->y = 36;
  snprintf(line, sizeof line, "%.100s", text_of(to->map, "kernel"));
  put_text(to, MARGIN, to->y, "class=\"title\"", line);
  snprintf(line, sizeof line, "%.16s, %.0f threads per CTA, %s of %s bytes of shared memory",
           text_of(to->map, "profile"), number_of(to->map, "threads"), grouped(number_of(shared, "bytes"), bytes),
           grouped(number_of(shared, "limit"), limit));
  to->y += 22;
  put_text(to, MARGIN, to->y, "class=\"note\"", line);
}

/* One box per warp, a gap between warpgroups; roles above their warps, registers below. */
static void draw_warps(picture *to) {
  begin_section(to, "Warps");
  double top = to->y + 22;
  unsigned warps = (unsigned)(number_of(to->map, "threads") / 32);
  const json_t *roles = json_object_get(to->map, "roles");
  size_t index;
  json_t *role;
  for (unsigned warp = 0; warp < warps && warp < 32; warp++) {
    const char *fill = "#f2f2f2";
    char tip[200];
    snprintf(tip, sizeof tip, "warp %u: idle", warp);
    json_array_foreach(roles, index, role) {
      double first = number_of(role, "first_warp");
      if (warp >= first && warp < first + number_of(role, "warps")) {
        fill = colour_of(to, text_of(role, "instance"));
        snprintf(tip, sizeof tip, "warp %u: role %.60s of %.60s", warp, text_of(role, "role"),
                 text_of(role, "instance"));
      }
    }
    char label[16];
    double x = MARGIN + warp * WARP + warp / 4 * 10;
    put_box(to, x, top, WARP, WARP, fill, tip);
    snprintf(label, sizeof label, "%u", warp);
    put_text(to, x + WARP / 2.0, top + 21, "class=\"middle\"", label);
  }
  double launch = number_of(to->map, "launch_registers"), lift = 0;
  json_array_foreach(roles, index, role) {
    double first = number_of(role, "first_warp"), x = MARGIN + first * WARP + (unsigned)first / 4 * 10;
    char label[200];
    /* Names of neighbours that are narrow would run into each other: every other one goes higher. */
    const json_t *before = index ? json_array_get(roles, index - 1) : NULL;
    bool is_close = before && number_of(before, "warps") < 4 && first < number_of(before, "first_warp") + 4;
    lift = is_close && lift == 0 ? 14 : 0;
    snprintf(label, sizeof label, "%.40s.%.40s", text_of(role, "instance"), text_of(role, "role"));
    put_text(to, x, top - 7 - lift, "class=\"label\"", label);
    if (number_of(role, "registers") > 0 && number_of(role, "registers") != launch)
      snprintf(label, sizeof label, "%.0f registers (%.0f at launch)", number_of(role, "registers"), launch);
    else if (launch > 0)
      snprintf(label, sizeof label, "%.0f registers", launch);
    else
      label[0] = 0;
    put_text(to, x, top + WARP + 15, "class=\"note\"", label);
  }
  to->y = top + WARP + 18;
}

/* producer -> [slots] -> consumers, one line each. */
static void draw_rings(picture *to) {
  const json_t *rings = json_object_get(to->map, "rings");
  size_t index;
  json_t *ring;
  if (!json_array_size(rings))
    return;
  begin_section(to, "Rings");
  json_array_foreach(rings, index, ring) {
    char label[400], bytes[32];
    double y = to->y + 8, depth = number_of(ring, "depth"), slot = depth <= 16 ? 22 : 352 / depth;
    const char *producer = text_of(ring, "producer");
    char owner[64];
    snprintf(owner, sizeof owner, "%.*s", (int)strcspn(producer, "."), producer);
    put_box(to, MARGIN, y, 150, 26, colour_of(to, owner), producer);
    put_text(to, MARGIN + 75, y + 17, "class=\"middle\"", producer);
    put_arrow(to, MARGIN + 152, MARGIN + 186, y + 13);
    for (unsigned i = 0; i < depth; i++) {
      snprintf(label, sizeof label, "slot %u of ring %.60s", i, text_of(ring, "name"));
      put_box(to, MARGIN + 188 + i * slot, y + 2, slot, 22, colour_of(to, owner), label);
    }
    double x = MARGIN + 188 + depth * slot;
    put_arrow(to, x + 2, x + 36, y + 13);
    const json_t *consumers = json_object_get(ring, "consumers");
    size_t k;
    json_t *consumer;
    json_array_foreach(consumers, k, consumer) {
      const char *name = json_string_value(consumer) ? json_string_value(consumer) : "";
      snprintf(owner, sizeof owner, "%.*s", (int)strcspn(name, "."), name);
      put_box(to, x + 38 + (double)k * 158, y, 150, 26, colour_of(to, owner), name);
      put_text(to, x + 38 + (double)k * 158 + 75, y + 17, "class=\"middle\"", name);
    }
    snprintf(label, sizeof label, "%.60s: depth %.0f, slots of %s bytes; %.0f arrivals fill, %.0f free a slot; %.160s",
             text_of(ring, "name"), depth, grouped(number_of(ring, "slot_bytes"), bytes),
             number_of(ring, "full_arrivals"), number_of(ring, "empty_arrivals"), text_of(ring, "bound"));
    put_text(to, MARGIN + 188, y + 41, "class=\"note\"", label);
    to->y = y + 48;
  }
}

/* The phases at which something begins or ends, ascending; returns how many spans they bound. */
static unsigned find_phases(const json_t *pieces, unsigned edges[64]) {
  bool used[PHASE_LAST + 2] = {0};
  used[0] = used[PHASE_LAST + 1] = true;
  size_t index;
  json_t *piece;
  json_array_foreach(pieces, index, piece) {
    const json_t *live = json_object_get(piece, "live");
    json_int_t from = json_integer_value(json_array_get(live, 0)), to = json_integer_value(json_array_get(live, 1));
    if (from >= 0 && from <= PHASE_LAST)
      used[from] = true;
    if (to >= 0 && to <= PHASE_LAST)
      used[to + 1] = true;
  }
  unsigned count = 0;
  for (unsigned i = 0; i <= PHASE_LAST + 1 && count < 64; i++)
    if (used[i])
      edges[count++] = i;
  return count - 1;
}

/* Bytes downwards, phases to the right: pieces that lie on each other stand side by side. A list beside it names them,
 * since mbarriers are too thin to write on. */
static void draw_memory(picture *to) {
  const json_t *shared = json_object_get(to->map, "shared"), *pieces = json_object_get(shared, "pieces");
  size_t index;
  json_t *piece;
  if (!json_array_size(pieces))
    return;
  begin_section(to, "Shared memory");
  unsigned edges[64], spans = find_phases(pieces, edges);
  double top = to->y + 6, height = 320, limit = number_of(shared, "limit"), left = MARGIN + 62, width = 420;
  if (limit < 1)
    limit = 1;
  put_box(to, left, top, width, height, "#f7f7f7", "free");
  for (unsigned i = 0; i <= 4; i++) {
    char bytes[32];
    put_text(to, left - 6, top + height * i / 4 + 4, "class=\"end\"", grouped(limit * i / 4, bytes));
  }
  double row = top + 12;
  json_array_foreach(pieces, index, piece) {
    const json_t *live = json_object_get(piece, "live");
    double from = (double)json_integer_value(json_array_get(live, 0)),
           until = (double)json_integer_value(json_array_get(live, 1)) + 1;
    unsigned first = 0, last = spans;
    while (first < spans && edges[first] < from)
      first++;
    while (last > 0 && edges[last] > until)
      last--;
    double x = left + width * first / spans, wide = width * (last - first) / spans;
    double y = top + height * number_of(piece, "offset") / limit, tall = height * number_of(piece, "bytes") / limit;
    if (tall < 2.5)
      tall = 2.5;
    char tip[320], bytes[32], at[32];
    snprintf(tip, sizeof tip, "%.12s %.60s.%.60s: %s bytes at %s", text_of(piece, "kind"), text_of(piece, "instance"),
             text_of(piece, "name"), grouped(number_of(piece, "bytes"), bytes),
             grouped(number_of(piece, "offset"), at));
    const char *fill = colour_of(to, text_of(piece, "instance"));
    put_box(to, x, y, wide, tall, fill, tip);
    for (double part = 1; part < number_of(piece, "parts") && tall / number_of(piece, "parts") > 3; part++)
      pl_buffer_printf(&to->body, "<path d=\"M%.1f %.1f h%.1f\" stroke=\"#444\" stroke-width=\"0.4\"/>\n", x,
                       y + tall * part / number_of(piece, "parts"), wide);
    if (tall > 15) {
      char label[128];
      snprintf(label, sizeof label, "%.50s.%.50s", text_of(piece, "instance"), text_of(piece, "name"));
      put_text(to, x + wide / 2, y + tall / 2 + 4, "class=\"middle\"", label);
    }
    put_box(to, left + width + 30, row - 9, 11, 11, fill, tip);
    if (from > 0 || until <= PHASE_LAST)
      snprintf(tip + strlen(tip), sizeof tip - strlen(tip), ", phases %.0f to %.0f", from, until - 1);
    put_text(to, left + width + 48, row, "class=\"label\"", tip);
    row += 17;
  }
  double used = number_of(shared, "bytes"), rest = height * (limit - used) / limit;
  if (rest > 15) {
    char label[64], bytes[32];
    snprintf(label, sizeof label, "%s bytes free", grouped(limit - used, bytes));
    put_text(to, left + width / 2, top + height - rest / 2 + 4, "class=\"middle\"", label);
  }
  to->y = row > top + height ? row : top + height;
  if (spans > 1) {
    for (unsigned i = 0; i < spans; i++) {
      char label[32];
      snprintf(label, sizeof label, edges[i + 1] == edges[i] + 1 ? "%u" : "%u-%u", edges[i], edges[i + 1] - 1);
      put_text(to, left + width * (i + 0.5) / spans, top + height + 16, "class=\"middle\"", label);
    }
    put_text(to, left - 6, top + height + 16, "class=\"end\"", "phase");
    if (to->y < top + height + 18)
      to->y = top + height + 18;
  }
}

static void draw_barriers(picture *to) {
  const json_t *barriers = json_object_get(to->map, "barriers");
  size_t index;
  json_t *barrier;
  if (!json_array_size(barriers))
    return;
  begin_section(to, "Named barriers");
  double y = to->y + 6, width = (WIDTH - 2.0 * MARGIN) / 16;
  for (unsigned id = 0; id < 16; id++) {
    char label[32], tip[200] = "free";
    const char *fill = id ? "#f7f7f7" : "#dddddd", *name = id ? "" : "CTA";
    json_array_foreach(barriers, index, barrier) {
      if (number_of(barrier, "id") == id) {
        fill = colour_of(to, text_of(barrier, "instance"));
        name = text_of(barrier, "name");
        snprintf(tip, sizeof tip, "barrier %.60s of %.60s, %.0f threads", name, text_of(barrier, "instance"),
                 number_of(barrier, "threads"));
      }
    }
    put_box(to, MARGIN + id * width, y, width, 34, fill, tip);
    snprintf(label, sizeof label, "%u", id);
    put_text(to, MARGIN + (id + 0.5) * width, y + 14, "class=\"middle\"", label);
    snprintf(label, sizeof label, "%.9s", name);
    put_text(to, MARGIN + (id + 0.5) * width, y + 28, "class=\"small\"", label);
  }
  to->y = y + 36;
}

static void draw_tensor_memory(picture *to) {
  const json_t *tmem = json_object_get(to->map, "tmem"), *regions = json_object_get(tmem, "regions");
  size_t index;
  json_t *region;
  double available = number_of(tmem, "available");
  if (!json_array_size(regions) || available < 1)
    return;
  char line[200];
  begin_section(to, "Tensor memory");
  double y = to->y + 6, width = WIDTH - 2.0 * MARGIN;
  put_box(to, MARGIN, y, width, 30, "#f7f7f7", "not allocated");
  put_box(to, MARGIN, y, width * number_of(tmem, "allocated") / available, 30, "#e8e8e8", "allocated");
  json_array_foreach(regions, index, region) {
    snprintf(line, sizeof line, "%.60s.%.60s: columns %.0f to %.0f", text_of(region, "instance"),
             text_of(region, "name"), number_of(region, "column"),
             number_of(region, "column") + number_of(region, "columns") - 1);
    double x = MARGIN + width * number_of(region, "column") / available;
    put_box(to, x, y, width * number_of(region, "columns") / available, 30, colour_of(to, text_of(region, "instance")),
            line);
    put_text(to, x + 6, y + 19, "class=\"label\"", line);
  }
  snprintf(line, sizeof line, "%.0f of %.0f columns allocated", number_of(tmem, "allocated"), available);
  put_text(to, MARGIN, y + 46, "class=\"note\"", line);
  to->y = y + 50;
}

pl_status map_picture_draw(const json_t *map, pl_buffer *svg) {
  if (json_integer_value(json_object_get(map, "pipelink")) != 1 || !json_is_array(json_object_get(map, "roles")) ||
      !json_is_object(json_object_get(map, "shared")))
    return -EBADMSG;
  picture to = {.map = map};
  draw_title(&to);
  draw_warps(&to);
  draw_rings(&to);
  draw_memory(&to);
  draw_barriers(&to);
  draw_tensor_memory(&to);
  pl_buffer_printf(
      svg,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n"
      "<style>text{font-family:'DejaVu Sans',Helvetica,Arial,sans-serif;font-size:12px;fill:#222}"
      ".title{font-size:20px;font-weight:bold}.section{font-size:15px;font-weight:bold}.note{fill:#555}"
      ".middle{text-anchor:middle}.small{text-anchor:middle;font-size:10px}.end{text-anchor:end;fill:#555}</style>\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      WIDTH, to.y + 24, WIDTH, to.y + 24);
  pl_buffer_append(svg, to.body.data, to.body.size);
  pl_buffer_puts(svg, "</svg>\n");
  bool failed = to.body.failed || svg->failed;
  pl_buffer_free(&to.body);
  return failed ? -ENOMEM : 0;
}
