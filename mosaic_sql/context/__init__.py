"""Evidence into numbered passages: tables and paths of the graph, then windows of text, within the policy's budget."""

from mosaic_sql.context.graph import NO_FACTS, Facts, facts
from mosaic_sql.context.windows import Material, WindowVectors, collect, with_link_sentences

__all__ = ["NO_FACTS", "Facts", "Material", "WindowVectors", "collect", "facts", "with_link_sentences"]
