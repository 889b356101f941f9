"""What a handle has learnt of its corpus, shared by its connections, forgotten when the corpus changes."""

from __future__ import annotations

from dataclasses import dataclass

from mosaic_sql import context as contexts
from mosaic_sql import link as linking
from mosaic_sql import render as rendering
from mosaic_sql.database import Database
from mosaic_sql.ingest.index import RULE_RELATION
from mosaic_sql.pipeline.likeness import RelationVectors
from mosaic_sql.records import Catalogue, Property
from mosaic_sql.resident import Paged, Resident, ResidentText

LEXICON_NODES = 300_000
"""Nodes up to which a handle that is asked a second time keeps names and terms in memory."""
RESIDENT_ROWS = 50_000
"""Adjacency rows from which a handle that is asked a second time keeps the graph in memory."""
PAGED_ROWS = 1_000_000
"""Adjacency rows from which a walk reads steps as it asks for them, where the graph is not in memory."""
PAGED_WALKS = 8
"""Walks after which a handle has shown that it will walk more: from here on the graph is kept in memory."""
SHARED_ROWS = 122_880
"""Chunks or nodes from which the engine works on all cores: one row group, which a single thread scans anyway."""
RESIDENT_CHUNKS = 200_000
"""Chunks up to which a handle that is asked a second time keeps postings and vectors in memory: some 400 MB."""


RESIDENT_BYTES = 4 << 30
"""Memory that the graph may take, where the handle was not opened with another bound."""


@dataclass
class Known:
    """What was learnt; `has_name_vectors` tells whether names of an imported graph were embedded.

    `memory` bounds the graph in memory, in bytes; it is not learnt.
    """

    memory: int = RESIDENT_BYTES
    _catalogue: Catalogue | None = None
    _form: rendering.Form | None = None
    _state: str | None = None
    relations: RelationVectors | None = None
    resident: Resident | None = None
    pages: Paged | None = None
    lexicon: linking.Lexicon | None = None
    text: bool = False
    rounds: int = 0
    walks: int = 0
    windows: contexts.WindowVectors | None = None
    has_name_vectors: bool = False

    def forget(self) -> None:
        """The corpus changed."""
        self.__dict__.update(Known(self.memory).__dict__)

    def catalogue(self, database: Database) -> Catalogue:
        """Counts, kinds, relations, properties and schema of the corpus.

        From here on a small corpus is asked on one thread: statements of a few milliseconds lose a quarter to sharing.
        """
        if self._catalogue is None:
            chunks, nodes, edges, rule_edges, graph_nodes = database.rows("link.catalogue")[0]
            paths = tuple((s, r, t, n) for s, r, t, n in database.rows("link.schema") if r != RULE_RELATION)
            relations = tuple((number, name) for number, name in database.rows("link.relations"))
            properties = tuple(
                Property(owner, label, name, of_type, count, tuple(texts or ()))
                for owner, label, name, of_type, count, texts in database.rows("link.properties")
            )
            kinds = {kind for source, _, target, _ in paths for kind in (source, target)}
            kinds |= {one.label for one in properties if one.owner == "node"}
            self._catalogue = Catalogue(
                chunks, nodes, edges, rule_edges, tuple(sorted(kinds - {""})), relations, paths, properties, graph_nodes
            )
            database.use_threads(one=max(chunks, nodes) < SHARED_ROWS)
            self.has_name_vectors = database.meta().get("graph_embed") in ("names", "all")
        return self._catalogue

    def state(self, database: Database) -> str:
        """A hash of what the corpus holds now."""
        if self._state is None:
            self._state = str(database.rows("store.state")[0][0])
        return self._state

    def form(self, database: Database) -> rendering.Form:
        """How walks run on this corpus now."""
        if self._form is None:
            meta = database.meta()
            relations = {relation: relation_id for relation_id, relation in self.catalogue(database).relations}
            self._form = rendering.Form(
                dimension=int(meta["dimension"]),
                expand=self._expand(database),
                widest=None if self.resident is None else self.resident.widest,
                is_large=2 * self.catalogue(database).edge_count >= PAGED_ROWS,
                rule_relation_id=relations.get(RULE_RELATION, -1),
                sentence_vectors=meta.get("sentence_vectors") == "true",
                text="resident" if self.text else "scan",
            )
        return self._form

    def _expand(self, database: Database) -> str:
        """How a walk finds the steps of a node."""
        if self.resident is not None:
            return "resident"
        if 2 * self.catalogue(database).edge_count < PAGED_ROWS:
            return "join"
        if self.pages is None:
            self.pages = Paged()
            self.pages.register(database)
        return "paged"

    def warm(self, database: Database) -> int:
        """Load the graph into memory; bytes held, 0 where it does not fit."""
        resident = Resident.load(database, memory_budget=self.memory)
        if resident is None:
            return 0
        resident.register(database)
        database.run_again_while(None)  # it lacks nothing
        self.resident, self.pages, self._form = resident, None, None
        database.use_threads(one=self.catalogue(database).chunk_count < SHARED_ROWS)  # only chunks are still scanned
        return resident.bytes

    def maybe_warm_graph(self, database: Database) -> None:
        """A handle that walks again will walk more: keep the graph in memory, a large one only where that is sure."""
        self.walks += 1
        if self.pages is not None and self.pages.bytes > self.memory:
            self.pages, self._form = None, None  # begin anew
        rows = 2 * self.catalogue(database).edge_count
        if self.resident is None and rows >= RESIDENT_ROWS and self.walks == (2 if rows < PAGED_ROWS else PAGED_WALKS):
            self.warm(database)

    def maybe_warm(self, database: Database) -> None:
        """A handle that is asked a second time will be asked again: keep what every question reads in memory."""
        self.rounds += 1
        if self.rounds != 2:
            return
        catalogue = self.catalogue(database)
        if catalogue.node_count <= LEXICON_NODES:
            self.lexicon = linking.Lexicon(database)
        if self.resident is None and 2 * catalogue.edge_count >= RESIDENT_ROWS:
            self.warm(database)
        if 0 < catalogue.chunk_count <= RESIDENT_CHUNKS:
            form = self.form(database)
            text = ResidentText.load(database, form.dimension, sentence_vectors=form.sentence_vectors)
            text.register(database)
            self.text, self._form = True, None
