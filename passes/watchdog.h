/* watchdog.h - for --watchdog: every wait of a role leaves word of itself, so that a hang can be told and ended.
 *
 * The kernel gets a variable `pipelink_watchdog`, the address of a report in memory that host and GPU both see:
 *
 *   u32 stop      the host's: non-zero ends every thread that waits on an mbarrier, by a trap
 *   u32 ctas      the host's: how many CTAs, in order of their linear index, have entries
 *   56 bytes      unused
 *   u64 entries   one per thread, CTA by CTA: 0 while it runs; low half: number of the place it waits at, from 1, or
 *                 0xFFFFFFFF once it has ended; high half: byte offset of the mbarrier in the arena, with the parity it
 *                 waits for in bit 31, or the named barrier's id
 *
 * As linked the variable points to a report without entries, so that a launch without a host that listens is a launch
 * as any other.
 */
#ifndef PIPELINK_PASSES_WATCHDOG_H
#define PIPELINK_PASSES_WATCHDOG_H

#include "link.h"

#define PL_WATCHDOG_VARIABLE "pipelink_watchdog"

enum { PL_WATCHDOG_HEADER = 64, PL_WATCHDOG_UNUSED_ENTRY = 32 }; /* bytes; where threads without an entry write */

/* After relocate, before generate: the roles' functions are inlined and separate. Fills link->waits. */
pl_status pl_watchdog_add(pl_link *link);

/* What the runtime needs to put a report into words, for the launch description; NULL when out of memory. */
json_t *pl_watchdog_json(const pl_link *link);

#endif
