"""What the paper reports for PolyG (arXiv 2504.02112 v1): context tokens, seconds, the F1 of a named aspect."""

from __future__ import annotations

TOKENS: dict[str, dict[str, int]] = {
    "academia": {"s**": 8931, "sp*": 1651, "s*o": 1640, "spo": 2406},
    "literature": {"s**": 4723, "sp*": 2037, "s*o": 1548, "spo": 2269},
    "e-commerce": {"s**": 7406, "sp*": 1885, "s*o": 1971, "spo": 2517},
}
SECONDS: dict[str, dict[str, float]] = {
    "academia": {"s**": 11.01, "sp*": 12.11, "s*o": 26.31, "spo": 20.24},
    "literature": {"s**": 9.86, "sp*": 13.88, "s*o": 7.24, "spo": 17.10},
    "e-commerce": {"s**": 8.65, "sp*": 12.39, "s*o": 7.14, "spo": 17.49},
}
F1: dict[str, float] = {"academia": 0.76, "literature": 0.74, "e-commerce": 0.82}
"""Of the guided walk on `sp*`."""
