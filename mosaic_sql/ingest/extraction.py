"""Ask a chat model for the facts of every chunk that has none yet; what it says is checked and kept, chunk by chunk.

The kept facts are rows of table `extraction`. The index reads them like the text itself, so a chunk is paid for once:
a killed run goes on where it stopped, a chunk that failed is asked for again by the next run.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from math import ceil

from mosaic_sql import text as words
from mosaic_sql.database import Database
from mosaic_sql.errors import ModelError, ModelOutputError, ModelUnavailable, PolicyError
from mosaic_sql.ingest.facts import SCHEMA, Dropped, Facts, Passage, checked, messages, repair
from mosaic_sql.ingest.store import Progress, Rows
from mosaic_sql.models import ChatModel, Reply
from mosaic_sql.models.bounds import Spending
from mosaic_sql.models.cache import CachedChat
from mosaic_sql.models.ledger import call_of, cut_off, failed_call
from mosaic_sql.models.spans import piece_spans
from mosaic_sql.records import ExtractionEstimate, ExtractionReport, ModelCall, Unread

_PURPOSE = "extract"
_TRIES = 3  # chunks in a row without an answer of the server, after which the rest is left for another run
_OVERHEAD = 12  # tokens a server adds to a conversation
_WRITTEN = 6.0  # tokens a model writes per token of the chunk, as a guess before the first call (measured: 5)
_LEAST_ROOM = 768  # tokens a reply may always have
_ROOM = 12  # tokens a reply may have per token of the chunk


@dataclass(frozen=True)
class Limits(Spending):
    """How many calls run at a time (1 to 64), and what they may cost together.

    Raises:
        PolicyError: a number out of its range, or a ceiling without prices.
    """

    parallel: int = 1

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        super().__post_init__()
        if not 1 <= self.parallel <= 64:
            raise PolicyError(f"parallel: {self.parallel} is not from 1 to 64 calls at a time")


@dataclass(frozen=True)
class _Chunk:
    chunk_id: int
    source: str
    ordinal: int
    passage: Passage

    def cost(self) -> tuple[int, int]:
        """Tokens to be read and to be written, by guess."""
        return _guess(self.passage)

    def unread(self, reason: str) -> Unread:
        return Unread(self.source, self.ordinal, reason)


@dataclass(frozen=True)
class _Outcome:
    facts: Facts | None
    dropped: Dropped
    replies: tuple[Reply, ...]
    calls: tuple[ModelCall, ...] = ()
    reason: str = ""
    silent: bool = False


@dataclass
class _Tally:
    replies: list[Reply] = field(default_factory=list)
    failed: list[Unread] = field(default_factory=list)
    not_done: list[Unread] = field(default_factory=list)
    done: int = 0
    repaired: int = 0
    read: int = 0
    written: int = 0
    dropped: list[Dropped] = field(default_factory=list)
    facts: list[tuple[int, int]] = field(default_factory=list)
    silent: int = 0


def estimate(passages: Iterable[Passage], limits: Limits) -> ExtractionEstimate:
    """What reading `passages` will cost: tokens by an approximate count that errs upwards, money where priced."""
    guesses = [_guess(passage) for passage in passages]
    read, written = sum(guess[0] for guess in guesses), sum(guess[1] for guess in guesses)
    return ExtractionEstimate(len(guesses), read, written, limits.money(read, written))


def choose(database: Database, extractor: str, *, edge_vectors: bool | None = None) -> None:
    """Make `extractor` that of the corpus; where it was another one, every chunk is to be read again.

    `edge_vectors` says whether edges a model read get vectors; None leaves it as it was, at first yes.
    """
    meta = database.meta()
    vectors = meta.get("edge_vectors", "true") if edge_vectors is None else str(edge_vectors).lower()
    if (meta.get("extractor"), meta.get("edge_vectors", "true")) == (extractor, vectors):
        return
    with database.transaction():
        if meta.get("extractor") != extractor:
            database.execute("ingest.await_all")
        database.put_meta(index_state="pending", extractor=extractor, edge_vectors=vectors)


def unasked(database: Database, limits: Limits, reason: str) -> ExtractionReport:
    """The report where no model is asked: every chunk without facts is left, for `reason`."""
    chunks = _waiting(database)
    expected = estimate((chunk.passage for chunk in chunks), limits)
    return ExtractionReport(expected, 0, not_done=tuple(chunk.unread(reason) for chunk in chunks))


def extract(
    database: Database,
    chat: ChatModel,
    limits: Limits,
    *,
    announce: Callable[[ExtractionEstimate], None],
    progress: Progress,
    ledger: list[ModelCall],
) -> ExtractionReport:
    """Ask `chat` for the facts of each chunk without, and keep what holds; every call is added to `ledger`.

    Nothing is raised where the model fails: the report lists the chunks. The index is then pending.
    """
    started = time.perf_counter()
    chunks = _waiting(database)
    expected = estimate((chunk.passage for chunk in chunks), limits)
    if chunks:
        announce(expected)
    run = _Run(database, chat, limits, progress, ledger)
    run.all(chunks)
    return run.report(expected, time.perf_counter() - started)


def _waiting(database: Database) -> list[_Chunk]:
    return [
        _Chunk(chunk_id, source, ordinal, Passage(title, heading, text))
        for chunk_id, source, ordinal, title, heading, text in database.rows("ingest.chunks_to_extract")
    ]


class _Run:
    """A window of calls in flight over the chunks; results are kept in chunk order, one transaction each."""

    def __init__(
        self, database: Database, chat: ChatModel, limits: Limits, progress: Progress, ledger: list[ModelCall]
    ) -> None:
        self._database, self._chat, self._limits, self._progress = database, chat, limits, progress
        self._ledger = ledger
        self._window: deque[tuple[_Chunk, Future[_Outcome]]] = deque()
        self.tally = _Tally()

    def all(self, chunks: Sequence[_Chunk]) -> None:
        """Every chunk, until the bounds are reached or the server is silent."""
        pool = ThreadPoolExecutor(self._limits.parallel)
        try:
            for number, chunk in enumerate(chunks):
                self._progress("facts", number, len(chunks))
                if len(self._window) >= self._limits.parallel:
                    self._settle()
                reason = self._stopped(chunk)
                if reason:
                    self.tally.not_done += [left.unread(reason) for left in chunks[number:]]
                    break
                self._window.append((chunk, pool.submit(_ask, self._chat, chunk.passage)))
            while self._window:
                self._settle()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            self._note_left()
        self._progress("facts", len(chunks), len(chunks))

    def _note_left(self) -> None:
        """Calls of a run that was ended: those that were answered, and those that still are on their way."""
        for _, future in self._window:
            if future.done() and not future.cancelled() and future.exception() is None:
                self._ledger += future.result().calls
            elif not future.done():
                waited = failed_call(_PURPOSE, self._chat.name, "the run was ended before an answer came", since=None)
                self._ledger.append(waited)

    def _stopped(self, chunk: _Chunk) -> str:
        """Why `chunk` is not asked for; empty where it is."""
        if self.tally.silent >= _TRIES:
            return f"the server did not answer {_TRIES} times in a row"
        coming = [chunk.cost(), *(asked.cost() for asked, _ in self._window)]
        read = self.tally.read + sum(cost[0] for cost in coming)
        written = self.tally.written + sum(cost[1] for cost in coming)
        return self._limits.passed(read, written)

    def _settle(self) -> None:
        """Take the oldest call in flight, keep what it brought."""
        chunk, future = self._window.popleft()
        outcome, tally = future.result(), self.tally
        self._ledger += outcome.calls
        tally.replies += outcome.replies
        tally.read += sum(_read(reply, chunk) for reply in outcome.replies)
        tally.written += sum(_written(reply) for reply in outcome.replies)
        tally.silent = tally.silent + 1 if outcome.silent else 0
        tally.repaired += len(outcome.replies) > 1 and outcome.facts is not None
        if outcome.facts is None:
            tally.failed.append(chunk.unread(outcome.reason))
        else:
            tally.done += 1
            tally.dropped.append(outcome.dropped)
            tally.facts.append((len(outcome.facts.entities), len(outcome.facts.relations)))
        self._keep(chunk, outcome)

    def _keep(self, chunk: _Chunk, outcome: _Outcome) -> None:
        rows = Rows()
        facts = outcome.facts
        rows.add("extraction", chunk.chunk_id, self._chat.name, facts.to_json() if facts else None, outcome.reason)
        if facts:
            rows.add("pending_chunk", chunk.chunk_id)
        with self._database.transaction():
            self._database.put_meta(index_state="pending")
            self._database.execute("ingest.delete_extraction", chunk_ids=[chunk.chunk_id])
            rows.write(self._database)

    def report(self, expected: ExtractionEstimate, seconds: float) -> ExtractionReport:
        """What was done, spent and dropped."""
        tally = self.tally
        return ExtractionReport(
            expected=expected,
            done=tally.done,
            failed=tuple(tally.failed),
            not_done=tuple(tally.not_done),
            calls=sum(not reply.cached for reply in tally.replies),
            cached=sum(reply.cached for reply in tally.replies),
            repaired=tally.repaired,
            prompt_tokens=tally.read,
            completion_tokens=tally.written,
            price=self._limits.money(tally.read, tally.written),
            entities=sum(count for count, _ in tally.facts),
            relations=sum(count for _, count in tally.facts),
            dropped_entities=sum(dropped.entities for dropped in tally.dropped),
            dropped_relations=sum(dropped.relations for dropped in tally.dropped),
            lost_sentences=sum(dropped.sentences for dropped in tally.dropped),
            seconds=seconds,
        )


def _ask(chat: ChatModel, passage: Passage) -> _Outcome:
    """One chunk: a call, a second one where the first reply cannot be used. A chunk without a word is not asked for."""
    if not words.tokens(passage.text):
        return _Outcome(Facts((), ()), Dropped(), ())
    room = _room(passage)
    prompts = [messages(passage)]
    replies: list[Reply] = []
    calls: list[ModelCall] = []
    problem = ""
    for turn in range(2):
        started = time.perf_counter()
        try:
            replies.append(chat.complete(prompts[turn], schema=SCHEMA, max_tokens=room))
        except ModelError as error:
            calls.append(failed_call(_PURPOSE, chat.name, str(error), since=started))
            silent = isinstance(error, ModelUnavailable) and not replies
            return _failed(
                chat, prompts, room, _Outcome(None, Dropped(), (*replies,), (*calls,), calls[-1].error, silent)
            )
        try:
            found = checked(replies[turn].text, passage)
            return _Outcome(*found, tuple(replies), (*calls, call_of(_PURPOSE, replies[turn])))
        except ModelOutputError as error:
            broken = cut_off(replies[turn], room)
            problem = " ".join((broken or str(error)).split())
            calls.append(call_of(_PURPOSE, replies[turn], problem))
            wish = f"{broken}; list fewer relations" if broken else problem
            prompts.append(repair(prompts[0], replies[turn].text, wish))
    return _failed(chat, prompts[:2], room, _Outcome(None, Dropped(), tuple(replies), tuple(calls), problem))


def _failed(chat: ChatModel, prompts: Sequence[Sequence[Mapping[str, str]]], room: int, outcome: _Outcome) -> _Outcome:
    """The outcome, its reason short; the next time the model is asked anew."""
    if isinstance(chat, CachedChat):
        for prompt in prompts:
            chat.forget(prompt, schema=SCHEMA, max_tokens=room)
    return replace(outcome, reason=outcome.reason[:300])


def _room(passage: Passage) -> int:
    return max(_LEAST_ROOM, _ROOM * len(piece_spans(passage.text)))


def _guess(passage: Passage) -> tuple[int, int]:
    if not words.tokens(passage.text):
        return 0, 0
    read = sum(len(piece_spans(message["content"])) for message in messages(passage)) + _OVERHEAD
    return read, ceil(_WRITTEN * len(piece_spans(passage.text)))


def _read(reply: Reply, chunk: _Chunk) -> int:
    """Tokens read, by guess where the server does not say."""
    return reply.prompt_tokens or (0 if reply.cached else chunk.cost()[0])


def _written(reply: Reply) -> int:
    return reply.completion_tokens or (0 if reply.cached else len(piece_spans(reply.text)))
