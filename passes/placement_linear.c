/* placement_linear.c - linear facts over integers, decided by Z3: can all of them be true, and if not, which ones are
 * against each other? The one file that includes Z3's header.
 *
 * Z3's C interface prints and ends the process on an error unless a handler is set; ours does nothing, and what went
 * wrong is asked for after each step. Its syntax trees live as long as the context, so only the solver is counted.
 */
#include "placement_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <z3.h>

/* Far more than any placement takes: a check ends with "unknown" rather than never. Counted in Z3's own steps, not in
 * seconds, so that the same problem always has the same answer. */
#define RESOURCE_LIMIT "20000000"

struct pl_linear {
  Z3_context context;
  Z3_solver solver;
  Z3_sort integer, boolean;
  size_t variable_count, fact_count;
  Z3_ast *variables;      /* integers */
  Z3_ast *variable_marks; /* booleans: "the variable is at least what the check says" */
  Z3_ast *fact_marks;     /* booleans: "the fact holds" */
};

static void keep_quiet(Z3_context context, Z3_error_code code) {
  (void)context;
  (void)code;
}

static pl_status status_of(const pl_linear *linear) {
  switch (Z3_get_error_code(linear->context)) {
  case Z3_OK:
    return 0;
  case Z3_MEMOUT_FAIL:
    return -ENOMEM;
  default:
    return -EPROTO;
  }
}

static Z3_ast *new_constants(const pl_linear *linear, size_t count, const char *prefix, Z3_sort sort) {
  Z3_ast *constants = calloc(count ? count : 1, sizeof *constants);
  for (size_t i = 0; constants && i < count; i++) {
    constants[i] = Z3_mk_fresh_const(linear->context, prefix, sort);
    if (!constants[i]) {
      free(constants);
      return NULL;
    }
  }
  return constants;
}

static pl_status open_solver(pl_linear *linear) {
  Z3_config config = Z3_mk_config();
  if (!config)
    return -ENOMEM;
  Z3_set_param_value(config, "unsat_core", "true");
  Z3_set_param_value(config, "model", "false");
  Z3_set_param_value(config, "rlimit", RESOURCE_LIMIT);
  linear->context = Z3_mk_context(config);
  Z3_del_config(config);
  if (!linear->context)
    return -ENOMEM;
  Z3_set_error_handler(linear->context, keep_quiet);
  linear->integer = Z3_mk_int_sort(linear->context);
  linear->boolean = Z3_mk_bool_sort(linear->context);
  linear->solver = linear->integer && linear->boolean ? Z3_mk_simple_solver(linear->context) : NULL;
  if (!linear->solver)
    return -ENOMEM;
  Z3_solver_inc_ref(linear->context, linear->solver);
  Z3_params options = Z3_mk_params(linear->context);
  if (!options)
    return -ENOMEM;
  Z3_params_inc_ref(linear->context, options);
  Z3_params_set_bool(linear->context, options, Z3_mk_string_symbol(linear->context, "ctrl_c"), false);
  Z3_solver_set_params(linear->context, linear->solver, options);
  Z3_params_dec_ref(linear->context, options);
  return status_of(linear);
}

pl_status pl_linear_create(size_t variable_count, size_t fact_count, pl_linear **made) {
  pl_linear *linear = calloc(1, sizeof *linear);
  *made = NULL;
  if (!linear)
    return -ENOMEM;
  linear->variable_count = variable_count;
  linear->fact_count = fact_count;
  pl_status status = open_solver(linear);
  if (!status) {
    linear->variables = new_constants(linear, variable_count, "variable", linear->integer);
    linear->variable_marks = new_constants(linear, variable_count, "least", linear->boolean);
    linear->fact_marks = new_constants(linear, fact_count, "fact", linear->boolean);
    if (!linear->variables || !linear->variable_marks || !linear->fact_marks)
      status = -ENOMEM;
  }
  if (status) {
    pl_linear_free(linear);
    return status;
  }
  *made = linear;
  return 0;
}

void pl_linear_free(pl_linear *linear) {
  if (!linear)
    return;
  free(linear->variables);
  free(linear->variable_marks);
  free(linear->fact_marks);
  if (linear->solver)
    Z3_solver_dec_ref(linear->context, linear->solver);
  if (linear->context)
    Z3_del_context(linear->context);
  free(linear);
}

/* NULL when Z3 had no memory: then nothing may be built from it. */
static Z3_ast number(const pl_linear *linear, int64_t value) {
  return Z3_mk_int64(linear->context, value, linear->integer);
}

static Z3_ast product(const pl_linear *linear, pl_linear_term term) {
  Z3_ast factors[] = {number(linear, term.coefficient), linear->variables[term.variable]};
  return factors[0] ? Z3_mk_mul(linear->context, 2, factors) : NULL;
}

/* Adds the constraint, as a fact with a mark or as a definition without. */
static pl_status add(const pl_linear *linear, Z3_ast constraint, Z3_ast mark) {
  pl_status status = status_of(linear);
  if (status || !constraint)
    return status ? status : -ENOMEM;
  if (mark)
    Z3_solver_assert_and_track(linear->context, linear->solver, constraint, mark);
  else
    Z3_solver_assert(linear->context, linear->solver, constraint);
  return status_of(linear);
}

pl_status pl_linear_at_most(pl_linear *linear, int fact, const pl_linear_term *terms, size_t count, int64_t bound) {
  Z3_ast *products = calloc(count + 1, sizeof *products);
  if (!products)
    return -ENOMEM;
  Z3_ast limit = number(linear, bound);
  bool complete = limit && (products[count] = number(linear, 0)); /* so that there is always something to add up */
  for (size_t i = 0; complete && i < count; i++)
    complete = (products[i] = product(linear, terms[i]));
  Z3_ast sum = complete ? Z3_mk_add(linear->context, (unsigned)count + 1, products) : NULL;
  Z3_ast constraint = sum ? Z3_mk_le(linear->context, sum, limit) : NULL;
  free(products);
  return add(linear, constraint, fact == PL_LINEAR_DEFINITION ? NULL : linear->fact_marks[fact]);
}

pl_status pl_linear_exclude(pl_linear *linear, const unsigned *at_least, size_t count) {
  Z3_ast *smaller = calloc(count ? count : 1, sizeof *smaller);
  bool complete = smaller;
  for (size_t i = 0; complete && i < count; i++) {
    Z3_ast least = number(linear, at_least[i]);
    complete = least && (smaller[i] = Z3_mk_lt(linear->context, linear->variables[i], least));
  }
  Z3_ast one_is_smaller = complete ? Z3_mk_or(linear->context, (unsigned)count, smaller) : NULL;
  free(smaller);
  return add(linear, one_is_smaller, NULL);
}

static void mark_members(const pl_linear *linear, Z3_ast_vector core, const Z3_ast *marks, size_t count,
                         bool *is_member) {
  unsigned size = Z3_ast_vector_size(linear->context, core);
  for (size_t i = 0; i < count; i++) {
    is_member[i] = false;
    for (unsigned k = 0; k < size; k++)
      is_member[i] |= Z3_is_eq_ast(linear->context, Z3_ast_vector_get(linear->context, core, k), marks[i]);
  }
}

static pl_status read_core(const pl_linear *linear, bool *fact_in_core, bool *variable_in_core) {
  Z3_ast_vector core = Z3_solver_get_unsat_core(linear->context, linear->solver);
  if (!core)
    return -ENOMEM;
  Z3_ast_vector_inc_ref(linear->context, core);
  mark_members(linear, core, linear->fact_marks, linear->fact_count, fact_in_core);
  mark_members(linear, core, linear->variable_marks, linear->variable_count, variable_in_core);
  Z3_ast_vector_dec_ref(linear->context, core);
  return 0;
}

pl_status pl_linear_check(pl_linear *linear, const unsigned *at_least, size_t count, bool *possible, bool *fact_in_core,
                          bool *variable_in_core) {
  Z3_context context = linear->context;
  Z3_solver_push(context, linear->solver);
  pl_status status = status_of(linear);
  if (status)
    return status;
  for (size_t i = 0; !status && i < count; i++) {
    Z3_ast least = number(linear, at_least[i]);
    Z3_ast constraint = least ? Z3_mk_ge(context, linear->variables[i], least) : NULL;
    status = add(linear, constraint, linear->variable_marks[i]);
  }
  if (!status) {
    Z3_lbool answer = Z3_solver_check(context, linear->solver);
    *possible = answer == Z3_L_TRUE;
    status = answer != Z3_L_UNDEF ? 0 : status_of(linear) ? status_of(linear) : -EPROTO;
    if (answer == Z3_L_FALSE && fact_in_core)
      status = read_core(linear, fact_in_core, variable_in_core);
  }
  Z3_solver_pop(context, linear->solver, 1);
  return status;
}
