"""PolyG's matrix (arXiv 2504.02112): every fixed operator on every shape of question, and the choice per question.

Graphs of the paper's three schemas are generated; gold comes from plain Python over the generated edges, never from the
engine that is measured.
"""
