/* spins.c - flags in global memory: who waits for one by looking at it in a loop must acquire before reading on, and
 * who raises it must do so in a scope that reaches those who wait. */
#include "body.h"

#include <string.h>

enum { SPINS_MOST = 64, VALUES_MOST = 64 }; /* spins of a body that are followed; values looked at for one answer */

/* ---- what is a spin ---- */

static bool may_be_global(const pl_body *body, const pl_operation *operation, pl_operand pointer) {
  if (pointer.kind != PL_OPERAND_VALUE || (operation->space != PL_SPACE_GLOBAL && operation->space != PL_SPACE_GENERIC))
    return false;
  int64_t offset = 0;
  LLVMValueRef base = pl_body_base(pointer.value, &offset);
  if (operation->space == PL_SPACE_GENERIC && (LLVMIsAArgument(base) || LLVMIsAAllocaInst(base)))
    return false; /* a role's params, or a pointer that may lead anywhere */
  for (size_t i = 0; i < body->in->resource_count; i++)
    if (body->in->resources[i].variable == base)
      return false; /* a handle: the linker makes it a constant */
  unsigned space = LLVMIsAGlobalVariable(base) ? LLVMGetPointerAddressSpace(LLVMTypeOf(base)) : 1;
  bool is_constant = LLVMIsAGlobalVariable(base) && LLVMIsGlobalConstant(base);
  return space <= 1 && !is_constant && !pl_body_trace(body->in, pointer, NULL);
}

/* A look that does not acquire by itself and that no optimiser may leave out. */
static bool is_look(const pl_body *body, const pl_operation *operation) {
  if (operation->kind == PL_OP_LOAD)
    return (operation->is_volatile || operation->scope) && may_be_global(body, operation, operation->source);
  return operation->kind == PL_OP_ATOMIC && may_be_global(body, operation, operation->address);
}

/* The shortest way from a block back to itself. */
typedef struct cycle {
  const pl_body *body;
  bool *holds; /* by block */
} cycle;

/* False when there is none, or no memory. */
static bool find_cycle(cycle *in, size_t start) {
  const pl_body *body = in->body;
  size_t count = body->block_count, head = 0, tail = 0;
  size_t *queue = pl_arena_array(body->in->arena, count + 1, sizeof *queue);
  size_t *from = pl_arena_array(body->in->arena, count + 1, sizeof *from); /* 1 + the block before; 0: not seen */
  in->holds = pl_arena_array(body->in->arena, count + 1, sizeof *in->holds);
  if (!queue || !from || !in->holds) {
    body->in->sink->out_of_memory = true;
    return false;
  }
  for (queue[tail++] = start; head < tail && !from[start]; head++)
    for (size_t k = 0; k < body->blocks[queue[head]].successor_count; k++) {
      size_t next = body->blocks[queue[head]].successors[k];
      if (from[next])
        continue;
      from[next] = 1 + queue[head];
      if (next != start)
        queue[tail++] = next;
    }
  if (!from[start])
    return false;
  for (size_t at = from[start] - 1; !in->holds[at]; at = from[at] - 1)
    in->holds[at] = true;
  return in->holds[start] = true;
}

static bool is_inside(const cycle *in, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value))
    return false;
  LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
  for (size_t b = 0; b < in->body->block_count; b++)
    if (in->body->blocks[b].block == block)
      return in->holds[b];
  return false;
}

/* The same in every round. */
static bool is_invariant(const cycle *in, LLVMValueRef value, unsigned *steps) {
  if (!is_inside(in, value))
    return true;
  int64_t offset = 0;
  if (!(*steps)-- || LLVMIsAPHINode(value) || LLVMIsACallInst(value))
    return false;
  if (LLVMIsALoadInst(value) && !LLVMIsAArgument(pl_body_base(LLVMGetOperand(value, 0), &offset)))
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (!is_invariant(in, LLVMGetOperand(value, (unsigned)i), steps))
      return false;
  return true;
}

static bool depends_on(LLVMValueRef value, LLVMValueRef source, unsigned *steps) {
  if (value == source)
    return true;
  if (!LLVMIsAInstruction(value) || !*steps || !(*steps)--)
    return false;
  for (int i = 0; i < LLVMGetNumOperands(value); i++)
    if (depends_on(LLVMGetOperand(value, (unsigned)i), source, steps))
      return true;
  return false;
}

/* It does nothing but look, compare and pass the time. */
static bool only_waits(const cycle *in, const pl_operation *look) {
  for (size_t b = 0; b < in->body->block_count; b++)
    for (size_t i = 0; in->holds[b] && i < in->body->blocks[b].operation_count; i++) {
      const pl_operation *operation = &in->body->blocks[b].operations[i];
      bool waits = operation == look || operation->kind == PL_OP_LOAD || operation->kind == PL_OP_ARITHMETIC ||
                   operation->kind == PL_OP_SPECIAL_REGISTER || operation->kind == PL_OP_FENCE ||
                   operation->kind == PL_OP_SHUFFLE;
      if (!waits)
        return false;
    }
  return true;
}

/* What it sees decides whether the loop goes on. */
static bool decides(const cycle *in, const pl_operation *look) {
  for (size_t b = 0; b < in->body->block_count; b++) {
    const pl_body_block *block = &in->body->blocks[b];
    bool leaves = false;
    for (size_t k = 0; in->holds[b] && k < block->successor_count; k++)
      leaves |= !in->holds[block->successors[k]];
    unsigned steps = VALUES_MOST;
    if (leaves && depends_on(LLVMGetOperand(LLVMGetBasicBlockTerminator(block->block), 0), look->instruction, &steps))
      return true;
  }
  return false;
}

static bool is_spin(const pl_body *body, size_t block, const pl_operation *look) {
  cycle in = {.body = body};
  unsigned steps = VALUES_MOST;
  LLVMValueRef pointer = look->kind == PL_OP_LOAD ? look->source.value : look->address.value;
  return find_cycle(&in, block) && is_invariant(&in, pointer, &steps) && only_waits(&in, look) && decides(&in, look);
}

typedef struct spins {
  const pl_operation *list[SPINS_MOST];
  size_t count;
} spins;

static void find_spins(const pl_body *body, spins *found) {
  for (size_t b = 0; b < body->block_count; b++)
    for (size_t i = 0; i < body->blocks[b].operation_count && found->count < SPINS_MOST; i++) {
      const pl_operation *operation = &body->blocks[b].operations[i];
      if (is_look(body, operation) && is_spin(body, b, operation))
        found->list[found->count++] = operation;
    }
}

bool pl_body_branch_polls(const pl_body *body, LLVMValueRef branch) {
  bool polls = false;
  for (size_t b = 0; b < body->block_count; b++)
    for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
      const pl_operation *operation = &body->blocks[b].operations[i];
      bool is_shuffle = operation->kind == PL_OP_SHUFFLE;
      unsigned steps = VALUES_MOST;
      if ((!is_shuffle && !is_look(body, operation)) ||
          !depends_on(LLVMGetOperand(branch, 0), operation->instruction, &steps))
        continue;
      if (is_shuffle)
        return false; /* what lanes have told each other may be one value for all */
      polls = true;
    }
  return polls;
}

/* ---- acquire ---- */

static bool acquires(const pl_operation *operation) {
  bool may = operation->kind == PL_OP_FENCE || operation->kind == PL_OP_LOAD || operation->kind == PL_OP_ATOMIC;
  return may && operation->is_acquire && operation->scope >= PL_SCOPE_CLUSTER;
}

/* Facts: a bit for each spin that nothing has acquired after. */
static uint64_t transfer(const pl_body *body, const pl_operation *operation, uint64_t facts, void *context) {
  (void)body;
  const spins *of = context;
  if (acquires(operation))
    return 0;
  for (size_t i = 0; i < of->count; i++)
    if (of->list[i] == operation && !operation->is_acquire) /* whether its scope suffices is another matter */
      facts |= UINT64_C(1) << i;
  return facts;
}

static bool reads_global(const pl_body *body, const pl_operation *operation) {
  if (operation->kind == PL_OP_CP_ASYNC)
    return true;
  if (operation->kind == PL_OP_BULK_LOAD)
    return operation->source.kind != PL_OPERAND_ABSENT && !pl_body_trace(body->in, operation->source, NULL);
  return operation->kind == PL_OP_LOAD && !operation->is_volatile && !operation->scope &&
         may_be_global(body, operation, operation->source);
}

static const char *words_of(const pl_body *body, const pl_operation *operation) {
  bool is_plain = operation->is_volatile && LLVMIsALoadInst(operation->instruction);
  const char *quoted = is_plain ? "a volatile load" : pl_arena_printf(body->in->arena, "'%s'", operation->text);
  return quoted ? quoted : operation->text;
}

static void say_unacquired(const pl_body *body, const pl_operation *spin, const pl_operation *read) {
  if (!pl_body_report(body, PL_WARNING, "L-FENCE", spin,
                      "a flag in global memory is waited for by %s, and read on without an acquire",
                      words_of(body, spin)))
    return;
  pl_location place = pl_body_location(read);
  if (place.file)
    pl_detail(body->in->sink, "read on at %s:%u: %s", place.file, place.line, read->text);
  pl_consequence(body->in->sink, "what the flag announces may be read as it was before, from this SM's cache");
  pl_fix(body->in->sink, "look at the flag by ld.acquire.gpu, or call __threadfence() between the loop and the read");
}

static void check_acquire(const pl_body *body, const pl_operation *operation, uint64_t facts, const spins *of) {
  bool hands_over = operation->kind == PL_OP_MBARRIER_ARRIVE || operation->kind == PL_OP_MBARRIER_EXPECT_TX ||
                    operation->kind == PL_OP_BARRIER_ARRIVE;
  if (facts && hands_over)
    pl_body_evidence(body, PL_EVIDENCE_UNDECIDED, "L-FENCE",
                     "whether who is told by '%s' reads what was waited for without an acquire is not to be seen",
                     operation->text);
  if (!facts || !reads_global(body, operation))
    return;
  for (size_t i = 0; i < of->count; i++)
    if (facts >> i & 1)
      say_unacquired(body, of->list[i], operation);
}

/* ---- scope ---- */

/* A field of a role's params that leads to memory. */
typedef struct flag_place {
  size_t instance;
  const char *params; /* NULL: not known */
  int64_t offset;
} flag_place;

static flag_place place_of(const pl_body *body, const pl_operation *operation) {
  int64_t offset = 0;
  pl_operand pointer = operation->kind == PL_OP_LOAD ? operation->source : operation->address;
  LLVMValueRef base = pl_body_base(pointer.value, &offset);
  offset = 0;
  if (!body->role || !LLVMIsALoadInst(base) || !LLVMIsAArgument(pl_body_base(LLVMGetOperand(base, 0), &offset)) ||
      offset < 0)
    return (flag_place){0};
  return (flag_place){body->instance, body->role->params, offset};
}

static bool is_same(flag_place a, flag_place b) {
  return a.params && b.params && a.instance == b.instance && a.offset == b.offset && !strcmp(a.params, b.params);
}

static bool is_signal(const pl_body *body, const pl_operation *operation) {
  return (operation->kind == PL_OP_STORE || operation->kind == PL_OP_ATOMIC) &&
         (operation->scope || operation->is_volatile) && may_be_global(body, operation, operation->address);
}

/* The other end of a flag: who waits for it, or who raises it. */
typedef struct end {
  const pl_body *body;
  const pl_operation *operation;
} end;

/* Volatile accesses reach all of the system. PTX ISA 9.0, Memory Consistency Model. */
static bool is_wide(const pl_operation *operation) {
  return operation->scope > PL_SCOPE_CTA || (operation->is_volatile && !operation->scope);
}

static end find_wide(const pl_body *bodies, size_t count, bool waits, flag_place at) {
  for (size_t c = 0; c < count; c++) {
    spins found = {0};
    if (waits)
      find_spins(&bodies[c], &found);
    for (size_t i = 0; i < found.count; i++)
      if (is_wide(found.list[i]) && is_same(place_of(&bodies[c], found.list[i]), at))
        return (end){&bodies[c], found.list[i]};
    for (size_t b = 0; b < bodies[c].block_count && !waits; b++)
      for (size_t i = 0; i < bodies[c].blocks[b].operation_count; i++) {
        const pl_operation *operation = &bodies[c].blocks[b].operations[i];
        if (is_signal(&bodies[c], operation) && is_wide(operation) && is_same(place_of(&bodies[c], operation), at))
          return (end){&bodies[c], operation};
      }
  }
  return (end){0};
}

static void check_scope(const pl_body *bodies, size_t count, const pl_body *body, const pl_operation *narrow,
                        bool waits) {
  end other = find_wide(bodies, count, !waits, place_of(body, narrow));
  bool is_of_the_grid = body->role && body->role->is_co_resident;
  if (!other.body && !is_of_the_grid) {
    pl_body_evidence(body, PL_EVIDENCE_UNDECIDED, "L-SCOPE",
                     "'%s' speaks to its own CTA alone; whether another CTA %s is not to be seen", narrow->text,
                     waits ? "raises the flag" : "waits for it");
    return;
  }
  if (!pl_body_report(body, PL_WARNING, "L-SCOPE", narrow,
                      waits ? "a flag in global memory is waited for by '%s', for its own CTA alone"
                            : "a flag in global memory is raised by '%s', for its own CTA alone",
                      narrow->text))
    return;
  pl_location place = other.body ? pl_body_location(other.operation) : (pl_location){0};
  if (place.file)
    pl_detail(body->in->sink, "%s in %s (%s:%u): %s", waits ? "raised" : "waited for", other.body->subject, place.file,
              place.line, words_of(body, other.operation));
  else if (!other.body)
    pl_detail(body->in->sink, "role '%s' is declared grid(\"co_resident\"): CTAs of the whole grid wait for each other",
              body->role->name);
  pl_consequence(body->in->sink, "a CTA on another SM may see the flag, and not what was written before it");
  pl_fix(body->in->sink, "use the scope that both sides are in: .gpu, or .sys where another GPU takes part");
}

void pl_check_spins(const pl_body *bodies, size_t count) {
  for (size_t c = 0; c < count; c++) {
    const pl_body *body = &bodies[c];
    spins found = {0};
    size_t told = body->in->sink->count;
    find_spins(body, &found);
    const uint64_t *facts = found.count ? pl_body_flow(body, 0, transfer, &found) : NULL;
    for (size_t b = 0; b < body->block_count; b++) {
      uint64_t now = facts ? facts[b] : 0;
      for (size_t i = 0; i < body->blocks[b].operation_count; i++) {
        const pl_operation *operation = &body->blocks[b].operations[i];
        check_acquire(body, operation, now, &found);
        now = transfer(body, operation, now, &found);
        if (operation->scope == PL_SCOPE_CTA && operation->is_release && is_signal(body, operation))
          check_scope(bodies, count, body, operation, false);
      }
    }
    for (size_t i = 0; i < found.count; i++)
      if (found.list[i]->scope == PL_SCOPE_CTA)
        check_scope(bodies, count, body, found.list[i], true);
    if (facts && told == body->in->sink->count)
      pl_body_evidence(body, PL_EVIDENCE_VERIFIED, "L-FENCE", "flags in global memory are acquired before reading on");
  }
}
