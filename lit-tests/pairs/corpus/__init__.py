"""The corpus of correct compositions: every pair that generate.py writes and mutate.py breaks."""

from . import matrices, memory, streams, two_rings, walks

PAIRS = streams.PAIRS + walks.PAIRS + two_rings.PAIRS + matrices.PAIRS + memory.PAIRS
