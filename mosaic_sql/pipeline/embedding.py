"""The embedder of a handle: chosen once, held against the vectors that the corpus has."""

from __future__ import annotations

from mosaic_sql.database import Database
from mosaic_sql.errors import EmbedderMismatch
from mosaic_sql.models import Embedder, identity, load_embedder
from mosaic_sql.pipeline.options import Options


class Embedding:
    """Loads the embedder when it is first needed; connections to one file share it."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._embedder: Embedder | None = None
        self._is_ready = False

    def chosen(self, other: str | None = None) -> Embedder | None:
        """The one that the handle was opened with, else `other`, else the bundled one."""
        chosen = self._options.embedder or other
        if chosen is None or isinstance(chosen, str):
            return load_embedder(chosen, base_url=self._options.base_url)
        return chosen

    def use(self, embedder: Embedder | None) -> None:
        """From here on this one: the corpus was made or embedded anew with it."""
        self._embedder, self._is_ready = embedder, True

    def of(self, database: Database) -> Embedder | None:
        """The embedder, checked once against the file's probe vectors.

        Raises:
            EmbedderMismatch: it is of another space than the corpus.
        """
        if not self._is_ready:
            meta = database.meta()
            embedder = self.chosen(meta.get("embedder"))
            identity.check(embedder, meta, database.path)
            self.use(embedder)
        return self._embedder

    def of_questions(self, database: Database) -> Embedder | None:
        """As `of`; none where it is of another space and nothing of the corpus is embedded: nothing can mismatch.

        Raises:
            EmbedderMismatch: it is of another space than the vectors of the corpus.
        """
        try:
            return self.of(database)
        except EmbedderMismatch:
            if database.rows("store.has_vectors")[0][0]:
                raise
            return None
