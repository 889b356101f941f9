"""Everything that mosaic_sql raises on purpose.

MosaicError                        catching it catches all of them
├── PolicyError (ValueError)       the caller asked for something impossible; names the field
├── StoreError                     the file, not the question
│   ├── SchemaVersionError         written by another version; says what to run
│   ├── EmbedderMismatch           vectors of two models do not mix; says what to run
│   ├── StoreLocked                another process writes the file
│   └── UnknownId (LookupError)
├── TemplateError                  an SQL file breaks its own header: our bug
├── QueryError                     DuckDB refused a statement
│   ├── QueryTimeout               the time budget is used up
│   └── QueryOutOfMemory
├── ModelError                     an embedding or chat model
│   ├── MissingExtra (ImportError) prints the pip command
│   ├── ModelUnavailable           may be tried again
│   │   └── CeilingReached         not asked: calls may cost no more
│   └── ModelOutputError           it answered, but not with what was asked
├── IngestError                    an input could not be read; the others were
└── GroundingError                 the answer cites evidence that is not there

A message is one line: what happened, then what to do next.
"""


class MosaicError(Exception):
    """The root: catching it catches everything raised on purpose."""

    exit_code = 1


class PolicyError(MosaicError, ValueError):
    """A policy, pattern or argument that cannot be meant; names the field."""


class StoreError(MosaicError):
    """The database file or folder cannot be used as asked."""


class SchemaVersionError(StoreError):
    """The file was written by another version of the schema."""


class EmbedderMismatch(StoreError):
    """The file's vectors come from another embedding model."""


class StoreLocked(StoreError):
    """Another process has the file open for writing."""

    exit_code = 3


class UnknownId(StoreError, LookupError):
    """A document, chunk, node or run that the file does not hold."""


class TemplateError(MosaicError):
    """An SQL file breaks its own header."""


class QueryError(MosaicError):
    """DuckDB refused a statement."""


class QueryTimeout(QueryError):
    """The statement used up its time budget and was interrupted."""


class QueryOutOfMemory(QueryError):
    """The statement went over the memory limit."""


class ModelError(MosaicError):
    """An embedding or chat model failed."""


class MissingExtra(ModelError, ImportError):
    """An optional package is not installed; the message holds the pip command."""


class ModelUnavailable(ModelError):
    """The model's server did not answer; the call may be tried again."""


class CeilingReached(ModelUnavailable):
    """The model was not asked, since the call might have passed a bound of tokens or money."""


class ModelOutputError(ModelError):
    """The model answered with something other than what was asked."""


class IngestError(MosaicError):
    """An input could not be read."""


class GroundingError(MosaicError):
    """An answer cites evidence that is not in its context."""


def short(text: str, limit: int = 80) -> str:
    """What somebody typed, as a message repeats it: on one line, and cut where it is long."""
    line = "".join(character if character.isprintable() else " " for character in text)
    return line if len(line) <= limit else f"{line[: limit - 3]}..."
