"""hygiene.py - what a stage has no business with: the CTA's barrier, its threads, its memory, its registers."""

import re

from .operator_ import Operator, body, has_ring, sites, warps, with_declaration

LOOP = r"^(  for \(unsigned [^\n]*\{\n)"


def in_loop(code, when=None):
    """`code` at the beginning of a role's loop."""
    return sites(LOOP, lambda match: match.group(1) + "".join(f"    {line}\n" for line in code.split("\n")), when)


def behind_another(pair, text, match=None):
    """The role's first warp is not the CTA's: the linker takes packages in the order of their names."""
    return text != pair.sources[min(stage for stage in pair.stages if "PIPELINK_ROLE(" in pair.sources[stage])]


def several_warps(pair, text, match):
    return warps(text) > 1


ABSOLUTE = """// The thread's place in the CTA.
static __device__ __forceinline__ unsigned absolute_thread() {
  unsigned thread;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  return thread;
}"""
RECURSIVE = """static __device__ __attribute__((noinline)) unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}"""

OPERATORS = [
    Operator("whole-cta-barrier", "hang", "other roles never come", in_loop("__syncthreads();")),
    Operator("whole-cta-vote", "hang", "other roles never come", in_loop("if (__syncthreads_or(p.@ == 77))\n  break;")),
    Operator("whole-cta-barrier-in-asm", "hang", "other roles never come", in_loop('asm volatile("barrier.sync 0;" ::: "memory");')),
    Operator("cluster-barrier", "hang", "other roles never come",
             in_loop('asm volatile("barrier.cluster.arrive.aligned;\\nbarrier.cluster.wait.aligned;" ::: "memory");')),
    Operator("own-setmaxnreg", "hang", "registers are taken that the linker has given to others",
             body('asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");', lambda pair, text, match: warps(text) % 4 == 0)),
    Operator("own-setmaxnreg-fewer", "corrupt", "the role has fewer registers than it was compiled for",
             body('asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");', lambda pair, text, match: warps(text) % 4 == 0)),
    Operator("extern-shared", "corrupt", "the arena's first bytes belong to others",
             with_declaration(sites(r"^( *)(\w+\.(?:wait|acquire)\((\w+)\);)\n", r"\1\2\n\1own[pipelink::thread() % 32] = \3.index;\n"),
                              "extern __shared__ unsigned own[];")),
    Operator("absolute-thread", "corrupt", "another thread's work is done twice, and this one's by nobody",
             with_declaration(sites(r"pipelink::thread\(\)", "absolute_thread()",
                                    lambda pair, text, match: "PIPELINK_ROLE" in text and text.index("PIPELINK_ROLE") < match.start()
                                    and behind_another(pair, text)),
                              ABSOLUTE)),
    Operator("printf", "slow", "a call, with a stack and registers of its own",
             with_declaration(in_loop('printf("%u\\n", pipelink::thread());'), 'extern "C" __device__ int printf(const char *, ...);')),
    Operator("malloc", "slow", "a call, with a stack and registers of its own",
             in_loop("volatile unsigned *const own = static_cast<unsigned *>(malloc(128));\nif (!own)\n  break;\nown[pipelink::lane()] = 1;\nfree(const_cast<unsigned *>(own));")),
    Operator("recursion", "slow", "a call that cannot be inlined: setmaxnreg is ignored and wgmma serialised around it",
             with_declaration(in_loop("if (fibonacci(gridDim.x) == 77)\n  break;"), RECURSIVE)),
    Operator("tensor-memory", "fault", "this GPU has none; elsewhere another owner's allocation never succeeds",
             in_loop('asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 512;" ::"r"(0) : "memory");')),
    Operator("literal-barrier", "hang", "an id that nobody gave: it is another role's barrier",
             in_loop('asm volatile("bar.sync 1, %0;" ::"r"(pipelink::threads()) : "memory");',
                     lambda pair, text, match: "pipelink::barrier<" not in text and "pipelink::barrier<" in "".join(pair.sources.values()))),
    Operator("literal-arrive", "hang", "arrivals on a barrier that nobody waits at, or another owner",
             in_loop('asm volatile("bar.arrive 1, 256;" ::: "memory");',
                     lambda pair, text, match: "pipelink::barrier<" not in text and "pipelink::barrier<" in "".join(pair.sources.values()))),
    Operator("divergent-barrier", "hang", "some lanes of a warp come to an aligned barrier",
             sites(r"^( *)(\w+)\.sync\(\);", r"\1if (pipelink::lane() < 16)\n\1  \2.sync();")),
    Operator("divergent-matrix", "corrupt", "some threads of a warpgroup come to wgmma",
             sites(r"^( *)(multiply_slot\([^;]*;)", r"\1if (pipelink::lane() < 16)\n\1  \2", lambda pair, text, match: "wgmma" in text)),
    Operator("divergent-fragment", "corrupt", "some lanes of a warp come to mma.sync",
             sites(r"^( *)(multiply_slot\([^;]*;)", r"\1if (pipelink::lane() % 2)\n\1  \2", lambda pair, text, match: "wgmma" not in text)),
    Operator("divergent-shuffle", "hang", "some lanes named in the mask never come",
             sites(r"^( *)(\w+\.wait\((\w+)\);)\n", r"\1\2\n\1if (pipelink::lane() < 16 && __shfl_xor_sync(0xffffffff, \3.index, 1) == 77)\n\1  break;\n",
                   lambda pair, text, match: len(match.group(1)) > 2)),
    Operator("own-mbarrier-init", "hang", "arrivals that have been made are lost",
             sites(r"^( *)(\w+)(\.(?:wait|acquire)\((\w+)\);)", r"\1if (pipelink::thread() == 0 && \4.index == 0)\n"
                   r"\1  pipelink::mbarrier_init(\2.full_barrier(\4), 1);\n\1\2\3",
                   lambda pair, text, match: "named" not in pair.name)),
    Operator("own-mbarrier-inval", "hang", "the barrier is gone while others use it",
             sites(r"^( *)(\w+)(\.release\((\w+)\);)",
                   r'\1asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(\2.empty_barrier(\4)) : "memory");\n\1\2\3',
                   lambda pair, text, match: "named" not in pair.name and not re.search(r"if \([^\n]*\n\Z", text[:match.start()]))),
    Operator("exit", "hang", "the thread is gone before it has arrived everywhere",
             in_loop('if (pipelink::thread() == 5)\n  asm volatile("exit;");', several_warps)),
    Operator("params-copied", "fault", "a tensor map in local memory is none",
             sites(r"^(PIPELINK_ROLE\([^\n]*const Params &)(p\) \{\n)(.*tma_load)", r"\1given) {\n  Params p = given;\n  p.@ += 0 * clock();\n\3")),
    Operator("reads-beyond-params", "corrupt", "a parameter is read that is another owner's",
             sites(r"p\.(count|steps|blocks|rounds)\b", r"(&p.\1)[64]")),
]


def _number(operator):
    """Puts a number of the stage's params in the place of @."""

    def make(pair):
        for mutant in operator.make(pair):
            file = mutant.where.partition(":")[0]
            text = mutant.sources[file]
            field = re.search(r"  unsigned (\w+)[;,]", text[text.index("Params {"):]).group(1)
            yield type(mutant)(pair, mutant.where, {**mutant.sources, file: text.replace("p.@", f"p.{field}")})

    return Operator(operator.name, operator.effect, operator.why, make)


OPERATORS = [_number(each) if each.name in ("whole-cta-vote", "params-copied") else each for each in OPERATORS]
