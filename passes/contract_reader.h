/* contract_reader.h - what contract.c, contract_types.c and contract_resources.c share: types, places, symbols.
 *
 * All of them are json.h readers: after the first failure they return an empty value, and the caller asks once.
 */
#ifndef PIPELINK_PASSES_CONTRACT_READER_H
#define PIPELINK_PASSES_CONTRACT_READER_H

#include "contract.h"
#include "json.h"

#define PL_SIZE_MOST ((uint64_t)1 << 40)  /* bytes of any type or buffer; sums of a few cannot overflow */
#define PL_ALIGN_MOST ((uint64_t)1 << 20) /* bytes */

enum { PL_FIELDS_MOST = 1024 /* of one struct */ };

/* contract_types.c: the type object under `key`, or `json` itself; never NULL unless the reader has failed. `depth`:
 * types around it. */
const pl_type *pl_read_type(pl_json_reader *reader, const pl_json_path *parent, const json_t *object, const char *key,
                            unsigned depth);
const pl_type *pl_read_type_at(pl_json_reader *reader, const pl_json_path *path, const json_t *json, unsigned depth);
bool pl_type_has_values(const pl_type *type); /* false for void and functions */

pl_location pl_read_location(pl_json_reader *reader, const pl_json_path *path, const json_t *node);
const char *pl_read_symbol(pl_json_reader *reader, const pl_json_path *path, const json_t *node);

/* The power of two under `key`. */
uint64_t pl_read_align(pl_json_reader *reader, const pl_json_path *path, const json_t *json, const char *key,
                       uint64_t least, uint64_t most);

/* contract_resources.c: one node each. References to roles and other resources are texts until
 * pl_check_resources() has seen the whole contract. */
void pl_read_ring(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_ring *ring);
void pl_read_barrier(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_barrier *barrier);
void pl_read_smem_buffer(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_smem_buffer *buffer);
void pl_read_tmem(pl_json_reader *reader, const pl_json_path *path, const json_t *node, pl_tmem *tmem);

/* Names are unique, what they refer to exists. The arrays are the contract's own. */
void pl_check_resources(pl_json_reader *reader, const pl_contract *contract, pl_ring *rings);

#endif
