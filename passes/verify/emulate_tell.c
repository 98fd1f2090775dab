/* emulate_tell.c - findings of a run as diagnostics, and what it showed as rows of the link report. */
#include "emulate_tell.h"

#include "llvm_ext.h"

#include <stdio.h>

/* ---- who and where ---- */

static const pl_placed_role *role_of(const pl_link *link, unsigned thread) {
  for (size_t i = 0; i < link->role_count; i++)
    if (thread / 32 - link->roles[i].first_warp < link->roles[i].warps)
      return &link->roles[i];
  return NULL;
}

void pl_emulate_tell_place(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_place *place,
                           const char *format, ...) {
  (void)setup;
  const pl_placed_role *placed = role_of(link, place->thread);
  va_list arguments;
  va_start(arguments, format);
  char *text = pl_arena_vprintf(link->sink->arena, format, arguments);
  va_end(arguments);
  if (!placed) {
    pl_detail(link->sink, "the kernel's own code: %s", text ? text : "");
    return;
  }
  pl_location location = placed->role->location;
  const char *file;
  unsigned line;
  if (place->instruction && pl_llvm_source_line(place->instruction, &file, &line))
    location = (pl_location){.file = file, .line = line};
  const char *relation = pl_arena_printf(link->sink->arena, "role '%s' of", placed->role->name);
  pl_party party = pl_link_party(link, relation, placed->instance, location);
  pl_side(link->sink, &party, "%s", text ? text : "");
}

static const char *ring_name(const pl_link *link, uint32_t ring) {
  return ring < link->ring_count ? link->rings[ring].name : "?";
}

/* ---- findings ---- */

static const char *what_it_does(bool writes, bool is_async) {
  return writes ? is_async ? "a copy writes it" : "writes it" : is_async ? "an engine still reads it" : "reads it";
}

static void tell_overlay(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_finding *found) {
  pl_report(link->sink, PL_ERROR, "L-ALIAS",
            "ring '%s': a buffer lies on slot %u, and nothing orders its use and the slot's",
            ring_name(link, found->ring), found->slot);
  pl_emulate_tell_place(link, setup, &found->first, "%s", found->first_writes ? "writes there" : "reads there");
  pl_emulate_tell_place(link, setup, &found->second, "%s, and nothing orders it after that",
                        found->second_writes ? "writes there" : "reads there");
  pl_consequence(link->sink, "one use would overwrite what the other still needs");
  pl_fix(link->sink, "wait for the overlay's guard between the two uses, both ways");
}

static void tell_race(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_finding *found) {
  bool in_flight = found->fault == PL_FAULT_IN_FLIGHT;
  const char *name = ring_name(link, found->ring);
  pl_report(link->sink, PL_ERROR, in_flight ? "L-LIVE" : "L-RACE",
            in_flight ? "ring '%s': slot %u is touched while a matrix instruction or a copy is still at work on it"
                      : "ring '%s': slot %u is touched by one side while the other side has it",
            name, found->slot);
  pl_emulate_tell_place(link, setup, &found->first, "%s", what_it_does(found->first_writes, in_flight));
  pl_emulate_tell_place(link, setup, &found->second, "%s, and nothing orders it after that",
                        what_it_does(found->second_writes, false));
  pl_consequence(link->sink, found->first_writes ? "the reader would see some bytes of before and some of after"
                                                 : "the reader would get bytes of the next slot's content");
  if (in_flight && !found->first_writes)
    pl_fix(link->sink, "wait for the matrix instructions or stores that read the slot before release()");
  else
    pl_fix(link->sink, "write a slot between acquire() and commit(), and read it between wait() and release()");
}

static void tell_bytes(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_finding *found) {
  pl_report(link->sink, PL_ERROR, "L-TX", "ring '%s': copies bring more bytes into slot %u than were announced",
            ring_name(link, found->ring), found->slot);
  pl_emulate_tell_place(link, setup, &found->first, "begins a copy that the slot does not wait for");
  pl_emulate_tell_place(link, setup, &found->second, "%s when the slot is full",
                        found->second_writes ? "writes it" : "reads it");
  pl_consequence(link->sink,
                 "the slot would be handed over before the copy has come, and count its bytes for the next round");
  pl_fix(link->sink, "give expect_tx() exactly the bytes of all copies into the slot");
}

static void tell_proxy(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_finding *found) {
  pl_report(link->sink, PL_ERROR, "L-PROXY",
            "ring '%s': slot %u goes from ordinary accesses to the async proxy without a fence",
            ring_name(link, found->ring), found->slot);
  pl_emulate_tell_place(link, setup, &found->first, "%s with ordinary instructions",
                        found->first_writes ? "writes it" : "reads it");
  pl_emulate_tell_place(link, setup, &found->second, "%s through the async proxy",
                        found->second_writes ? "overwrites it" : "reads it");
  pl_consequence(link->sink, found->first_writes
                                 ? "now and then a matrix instruction or copy would read what was there before"
                                 : "now and then a copy would overwrite what is still being read");
  pl_fix(link->sink, "call pipelink::fence_async() in every thread that %s the slot, before it %s",
         found->first_writes ? "writes" : "reads", found->first_writes ? "commits" : "releases it");
}

static const char *does_to_buffer(bool writes) {
  return writes ? "writes it" : "reads it";
}

static void tell_buffer(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_finding *found) {
  bool in_flight = found->fault == PL_FAULT_IN_FLIGHT, proxy = found->fault == PL_FAULT_PROXY;
  const char *name = link->buffers[setup->buffers[found->ring].index].buffer->name;
  pl_report(link->sink, PL_ERROR,
            in_flight ? "L-LIVE"
            : proxy   ? "L-PROXY"
                      : "L-RACE",
            in_flight ? "buffer '%s' is touched while a copy is still at work on it"
            : proxy   ? "buffer '%s' goes from ordinary accesses to the async proxy without a fence"
                      : "buffer '%s': one thread touches bytes that another writes, and nothing orders them",
            name);
  pl_emulate_tell_place(link, setup, &found->first, "%s", does_to_buffer(found->first_writes));
  pl_emulate_tell_place(link, setup, &found->second,
                        proxy ? "%s through the async proxy" : "%s, and nothing orders it after that",
                        does_to_buffer(found->second_writes));
  pl_consequence(link->sink, "now and then bytes of before would be taken for bytes of after, or the other way round");
  if (in_flight)
    pl_fix(link->sink, "wait for the copy (bulk_commit() and bulk_wait()), then let a barrier tell the others");
  else if (proxy)
    pl_fix(link->sink, "call pipelink::fence_async() in every thread that touches the buffer, before the barrier");
  else
    pl_fix(link->sink, "let all who use the buffer meet at a barrier between the two");
}

static void tell_misaligned(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_finding *found) {
  pl_report(link->sink, PL_ERROR, "L-SALIGN", "a bulk copy goes to offset %u of the arena, which is no multiple of 16",
            found->barrier - PL_EMULATE_ARENA);
  pl_emulate_tell_place(link, setup, &found->first, "begins the copy");
  pl_consequence(link->sink, "the kernel would fault");
  pl_fix(link->sink, "copy to multiples of 16 bytes");
}

static void tell_layout(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_finding *found) {
  const char *spans[2];
  for (size_t i = 0; i < 2; i++)
    spans[i] = found->counts[i]
                   ? pl_arena_printf(link->sink->arena, "a swizzle of %u bytes", (unsigned)found->counts[i])
                   : "no swizzle";
  pl_report(link->sink, PL_ERROR, "L-TMAP", "a tensor is copied with %s and read with %s", spans[0] ? spans[0] : "?",
            spans[1] ? spans[1] : "?");
  pl_emulate_tell_place(link, setup, &found->first, "copies it, by the tensor map in its params");
  pl_emulate_tell_place(link, setup, &found->second, "reads it, by a matrix descriptor");
  pl_consequence(link->sink, "rows would be taken from where other rows lie: wrong products");
  pl_fix(link->sink, "declare the tensor map with the swizzle of the descriptor, or the other way round");
}

static void tell_arrival(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_finding *found) {
  const char *name = ring_name(link, found->ring), *side = found->is_full ? "full" : "empty";
  const pl_joined_ring *ring = &link->rings[found->ring];
  pl_report(link->sink, PL_ERROR, "L-ARRIVE", "ring '%s': more arrivals on slot %u's %s barrier than it counts (%u)",
            name, found->slot, side, found->is_full ? ring->full_arrivals : ring->empty_arrivals);
  pl_emulate_tell_place(link, setup, &found->first, "arrives when the phase it means has ended already");
  pl_link_ring_side_alone(link, found->is_full ? &ring->consumers[0] : &ring->producer);
  pl_consequence(link->sink, found->is_full ? "the arrival would count for the next round, and a slot would be read "
                                              "before it is full"
                                            : "the arrival would count for the next round, and a slot would be "
                                              "overwritten while it is read");
  pl_fix(link->sink, found->is_full ? "commit() each slot once, by the threads that the ring declares"
                                    : "release() each slot once, by the threads that the ring declares");
}

static void tell_free_wait(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_finding *found) {
  pl_report(link->sink, PL_ERROR, "L-PHASE", "ring '%s': a wait for slot %u passes before the slot was ever filled",
            ring_name(link, found->ring), found->slot);
  pl_emulate_tell_place(link, setup, &found->first, "its first wait is for parity 1, the phase before the first");
  pl_link_ring_side_alone(link, &link->rings[found->ring].producer);
  pl_consequence(link->sink, "the consumer would read slots one round too early");
  pl_fix(link->sink, "begin at ring.begin(): consumers wait for parity 0 first");
}

static void tell_no_mbarrier(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_finding *found) {
  pl_report(link->sink, PL_ERROR, "L-INIT",
            "shared memory at offset %u of the arena is used as an mbarrier, and is none",
            found->barrier - PL_EMULATE_ARENA);
  pl_emulate_tell_place(link, setup, &found->first, "uses it");
  pl_consequence(link->sink, "the instruction would trap, or wait for ever");
  pl_fix(link->sink, "use the barriers of a ring, or initialise this one before the roles begin");
}

static void tell_named_count(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_finding *found) {
  pl_report(link->sink, PL_ERROR, "L-BARCOUNT", "named barrier %u is given different counts", found->barrier);
  pl_emulate_tell_place(link, setup, &found->first, "%llu threads", (unsigned long long)found->counts[0]);
  pl_emulate_tell_place(link, setup, &found->second, "%llu threads", (unsigned long long)found->counts[1]);
  pl_consequence(link->sink, "the barrier would let go too early, or never");
  pl_fix(link->sink, "declare one shared barrier on both sides, and let it give the count");
}

static void tell_finding(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_finding *found) {
  if (found->is_buffer) {
    tell_buffer(link, setup, found);
    return;
  }
  switch (found->fault) {
  case PL_FAULT_MISALIGNED:
    tell_misaligned(link, setup, found);
    return;
  case PL_FAULT_LAYOUT:
    tell_layout(link, setup, found);
    return;
  case PL_FAULT_RACE:
  case PL_FAULT_IN_FLIGHT:
    (found->is_overlay ? tell_overlay : tell_race)(link, setup, found);
    return;
  case PL_FAULT_BYTES:
    tell_bytes(link, setup, found);
    return;
  case PL_FAULT_PROXY:
    tell_proxy(link, setup, found);
    return;
  case PL_FAULT_ARRIVAL:
    if (found->ring != PL_EMULATE_NONE)
      tell_arrival(link, setup, found);
    return;
  case PL_FAULT_FREE_WAIT:
    tell_free_wait(link, setup, found);
    return;
  case PL_FAULT_NO_MBARRIER:
    tell_no_mbarrier(link, setup, found);
    return;
  case PL_FAULT_NAMED_COUNT:
    tell_named_count(link, setup, found);
    return;
  case PL_FAULT_NONE:
    return;
  }
}

/* ---- rows ---- */

static const char *subject_of(pl_link *link, size_t ring) {
  return pl_arena_printf(link->arena, "ring '%s'", link->rings[ring].name);
}

static void tell_ring(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_outcome *outcome, size_t index) {
  const pl_emulate_ring_state *state = &outcome->rings[index];
  unsigned long long fills = state->fills;
  const char *subject = subject_of(link, index);
  bool is_named = setup->rings[index].is_named;
  if (is_named) {
    pl_evidence(link, PL_EVIDENCE_VERIFIED, "L-BARPAIR", subject, "run: both sides meet at the barriers of %llu slots",
                fills);
    pl_evidence(link, PL_EVIDENCE_VERIFIED, "L-ORDER", subject,
                "run: nobody waits for ever at depth %u, through %llu slots", setup->rings[index].depth, fills);
  } else {
    pl_evidence(link, PL_EVIDENCE_VERIFIED, "L-ARRIVE", subject, "run: %u and %u arrivals per slot, through %llu slots",
                link->rings[index].full_arrivals, link->rings[index].empty_arrivals, fills);
    pl_evidence(link, PL_EVIDENCE_VERIFIED, "L-PHASE", subject, "run: every wait is for its own round");
    pl_evidence(link, PL_EVIDENCE_VERIFIED, "L-ORDER", subject,
                "run: nobody waits for ever at depth %u, through %llu slots", setup->rings[index].depth, fills);
  }
  if (setup->rings[index].counts_bytes && state->bytes_are_declared)
    pl_evidence(link, PL_EVIDENCE_DECLARED, "L-TX", subject, "the size of some copy is the host's");
  else if (setup->rings[index].counts_bytes)
    pl_evidence(link, PL_EVIDENCE_VERIFIED, "L-TX", subject, "run: copies bring the bytes that are announced");
  if (state->unknown)
    pl_evidence(link, PL_EVIDENCE_UNDECIDED, "L-RACE", subject, "the address of some access is not known");
  else
    pl_evidence(link, PL_EVIDENCE_VERIFIED, "L-RACE", subject,
                "run: each side touches slots only while it has them, with fences where proxies change");
}

static void tell_undecided(pl_link *link, size_t ring, const char *reason) {
  static const char *const codes[] = {"L-ARRIVE", "L-PHASE", "L-ORDER", "L-RACE"};
  const char *subject = subject_of(link, ring);
  bool is_named = link->rings[ring].producer.ring->protocol == PL_RING_NAMED;
  if (link->rings[ring].producer.ring->protocol == PL_RING_TMA)
    pl_evidence(link, PL_EVIDENCE_UNDECIDED, "L-TX", subject, "%s", reason);
  for (size_t i = is_named ? 2 : 0; i < sizeof codes / sizeof *codes; i++)
    pl_evidence(link, PL_EVIDENCE_UNDECIDED, codes[i], subject, "%s", reason);
}

void pl_emulate_tell_nothing(pl_link *link, const char *reason) {
  for (size_t i = 0; i < link->ring_count; i++)
    tell_undecided(link, i, reason);
}

/* ---- all ---- */

static const char *with_line(pl_link *link, const char *reason, LLVMValueRef instruction) {
  const char *file, *text = NULL;
  unsigned line;
  if (instruction && pl_llvm_source_line(instruction, &file, &line))
    text = pl_arena_printf(link->arena, "%s (%s:%u)", reason, file, line);
  return text ? text : reason;
}

void pl_emulate_tell(pl_link *link, const pl_emulate_setup *setup, const pl_emulate_outcome *outcome) {
  for (size_t i = 0; i < outcome->finding_count; i++)
    tell_finding(link, setup, &outcome->findings[i]);
  if (outcome->finding_count)
    return; /* what follows is a consequence */
  const char *reason = NULL, *rounds = NULL;
  if (outcome->unknown) {
    reason = with_line(link, outcome->unknown, outcome->unknown_at);
  } else if (outcome->is_stuck) {
    pl_emulate_verdict verdict = pl_emulate_judge(setup, outcome);
    if (verdict.code) {
      pl_emulate_tell_stuck(link, setup, outcome, &verdict);
      return;
    }
    reason = verdict.reason;
    if (verdict.depends && pl_emulate_has_gone_round(setup, outcome))
      rounds = reason, reason = NULL; /* as far as all of them go, it has been seen */
  }
  bool is_enough = pl_emulate_is_enough(setup, outcome);
  for (size_t i = 0; i < link->ring_count; i++) {
    bool has_gone_round = is_enough || outcome->rings[i].fills > setup->rings[i].depth;
    if (reason)
      tell_undecided(link, i, reason);
    else if (!has_gone_round || (outcome->ran_out && !is_enough))
      tell_undecided(link, i, "the run ended before every slot was used twice");
    else
      tell_ring(link, setup, outcome, i);
    if (rounds)
      pl_evidence(link, PL_EVIDENCE_UNDECIDED, "L-TRIP", subject_of(link, i), "%s", rounds);
  }
}

void pl_print_emulate(const pl_link *link, pl_buffer *text) {
  static const char *const states[] = {"declared", "verified", "undecided"};
  for (size_t i = 0; i < link->evidence.count; i++) {
    const pl_evidence_row *row = &link->evidence.rows[i];
    pl_buffer_printf(text, "%-9s %-10s %s: %s\n", states[row->state], row->code, row->subject, row->reason);
  }
}
