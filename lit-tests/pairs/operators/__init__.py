"""Mutation operators: ways in which a correct pair is broken, by family."""

from . import bytes_, contracts, counts, credit, fences, hygiene, ids, order

FAMILIES = {
    "counts": counts.OPERATORS,
    "ids": ids.OPERATORS,
    "bytes": bytes_.OPERATORS,
    "credit": credit.OPERATORS,
    "order": order.OPERATORS,
    "fences": fences.OPERATORS,
    "contracts": contracts.OPERATORS,
    "hygiene": hygiene.OPERATORS,
}
