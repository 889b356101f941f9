"""Policies compared on questions of one's own: quality, effort, intervals, ablation, a page."""

from mosaic_sql.bench.compare.questions import Question, first, load
from mosaic_sql.bench.compare.study import OPERATORS, POLICIES, Plan, compare
from mosaic_sql.bench.compare.table import Comparison, Row

__all__ = ["OPERATORS", "POLICIES", "Comparison", "Plan", "Question", "Row", "compare", "first", "load"]
