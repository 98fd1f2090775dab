/* check_guards.c - a buffer that may lie on the slots of a ring: does its guard order the two uses?
 *
 * Whoever writes the buffer must know that nobody reads the slots any more, and nobody may fill them before the buffer
 * is done with. The ring's producer knows that all consumers have released; one consumer of several knows only of
 * itself. So the guard has to join the buffer's role with the ring's producer, or with all of its consumers. That the
 * code waits at the guard where it should is the owner's promise.
 */
#include "link.h"

#include <string.h>

/* A role of an instance. */
typedef struct user {
  size_t instance;
  const pl_role *role;
} user;

static bool is_side(const pl_ring_side *side, user who) {
  return side->instance == who.instance && side->role == who.role;
}

static bool consumes(const pl_joined_ring *ring, user who) {
  for (size_t i = 0; i < ring->consumer_count; i++)
    if (is_side(&ring->consumers[i], who))
      return true;
  return false;
}

static bool waits_at(const pl_joined_barrier *barrier, user who) {
  for (size_t i = 0; i < barrier->member_count; i++) {
    const pl_barrier_member *member = &barrier->members[i];
    if (member->instance == who.instance && (!member->barrier->role || !strcmp(member->barrier->role, who.role->name)))
      return true;
  }
  return false;
}

/* What a buffer lies on and what guards it; one of the guards is NULL. */
typedef struct overlay {
  const pl_placed_buffer *placed;
  const pl_joined_ring *ring, *guard_ring;
  const pl_joined_barrier *guard_barrier;
} overlay;

/* Two sides of the ring meet at it; two of its consumers do not. */
static bool meet(const overlay *on, user a, user b) {
  if (a.instance == b.instance && a.role == b.role)
    return true;
  if (on->guard_barrier)
    return waits_at(on->guard_barrier, a) && waits_at(on->guard_barrier, b);
  if (on->guard_ring == on->ring)
    return false; /* the ring itself says nothing about what is done in a slot that is still held */
  return (is_side(&on->guard_ring->producer, a) && consumes(on->guard_ring, b)) ||
         (is_side(&on->guard_ring->producer, b) && consumes(on->guard_ring, a));
}

static bool takes_part(const overlay *on, user who) {
  if (on->guard_barrier)
    return waits_at(on->guard_barrier, who);
  return is_side(&on->guard_ring->producer, who) || consumes(on->guard_ring, who);
}

/* May `who` be the one that uses the buffer? */
static bool is_ordered(const overlay *on, user who) {
  if (!takes_part(on, who))
    return false;
  if (meet(on, who, (user){on->ring->producer.instance, on->ring->producer.role}))
    return true;
  for (size_t i = 0; i < on->ring->consumer_count; i++)
    if (!meet(on, who, (user){on->ring->consumers[i].instance, on->ring->consumers[i].role}))
      return false;
  return true;
}

static const pl_joined_barrier *barrier_of(const pl_link *link, size_t instance, const char *name) {
  for (size_t i = 0; i < link->barrier_count; i++)
    for (size_t k = 0; k < link->barriers[i].member_count; k++)
      if (link->barriers[i].members[k].instance == instance &&
          !strcmp(link->barriers[i].members[k].barrier->name, name))
        return &link->barriers[i];
  return NULL;
}

static void report(pl_link *link, const overlay *on) {
  const pl_smem_buffer *buffer = on->placed->buffer;
  pl_report(link->sink, PL_ERROR, "L-GUARD",
            "buffer '%s' may lie on ring '%s', and its guard '%s' does not order the two", buffer->name, on->ring->name,
            buffer->guard);
  pl_link_side(link, "declared by", on->placed->instance, buffer->location, "overlay '%s', guard '%s'", buffer->overlay,
               buffer->guard);
  pl_link_ring_side_alone(link, &on->ring->producer);
  for (size_t i = 0; i < on->ring->consumer_count; i++)
    pl_link_ring_side_alone(link, &on->ring->consumers[i]);
  for (size_t i = 0; i < link->instance_count; i++)
    for (size_t k = 0; k < link->instances[i].contract->role_count; k++)
      if (takes_part(on, (user){i, &link->instances[i].contract->roles[k]}))
        pl_link_role(link, i, &link->instances[i].contract->roles[k], "meets the others at '%s'", buffer->guard);
  pl_consequence(link->sink, "the buffer would be written while slots are still read, or filled while it is in use");
  pl_fix(link->sink,
         "name a guard that the buffer's role shares with the ring's producer, or with all of its consumers");
}

static void check(pl_link *link, const pl_placed_buffer *placed) {
  const pl_smem_buffer *buffer = placed->buffer;
  int ring = pl_ring_index(link, placed->instance, buffer->overlay);
  int guard = pl_ring_index(link, placed->instance, buffer->guard);
  if (ring < 0)
    return; /* lies on nothing */
  overlay on = {.placed = placed, .ring = &link->rings[ring]};
  if (guard >= 0)
    on.guard_ring = &link->rings[guard];
  else if (!(on.guard_barrier = barrier_of(link, placed->instance, buffer->guard)))
    return; /* the contract's reader has refused it */
  const pl_contract *contract = link->instances[placed->instance].contract;
  for (size_t i = 0; i < contract->role_count; i++) {
    if (!is_ordered(&on, (user){placed->instance, &contract->roles[i]}))
      continue;
    pl_evidence(link, PL_EVIDENCE_DECLARED, "L-GUARD", pl_arena_printf(link->arena, "buffer '%s'", buffer->name),
                "'%s' joins its stage's role '%s' with those of ring '%s'; where the code waits at it is promised",
                buffer->guard, contract->roles[i].name, on.ring->name);
    return;
  }
  report(link, &on);
}

void pl_check_guards(pl_link *link) {
  for (size_t i = 0; i < link->buffer_count; i++)
    check(link, &link->buffers[i]);
}
