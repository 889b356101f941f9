"""Bytes into text: encodings, and the characters that no store or model takes."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from charset_normalizer import from_bytes

from mosaic_sql.text import counted

Line = tuple[str, tuple[str, ...]]  # a decoded line, and notes on its decoding

SNIFFED = 1 << 13  # bytes looked at to tell text from other content
_GUESSED = 1 << 18  # bytes the encoding is guessed from
_BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_MAGIC = (
    (b"%PDF-", "PDF"),
    (b"\x89PNG", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF8", "GIF image"),
    (b"PK\x03\x04", "ZIP archive or office document"),
    (b"\x1f\x8b", "gzip"),
    (b"PAR1", "Parquet"),
    (b"\x7fELF", "program"),
)
_OLDER = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "iso8859_2", "koi8_r"),
    *("mac_roman", "cp932", "euc_jp", "gb18030", "big5", "cp949"),
)
_ESCAPED = re.compile("[\udc80-\udcff]")
_MULTIBYTE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_UNPRINTED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def clean(text: str) -> Line:
    """`text` with LF line ends, without byte-order mark, NUL characters and lone surrogates; notes on what went."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    notes = []
    if nuls := text.count("\x00"):
        text = text.replace("\x00", "")
        notes.append(f"{counted(nuls, 'NUL character')} removed")
    if not text.isascii():
        text, lone = _SURROGATE.subn("", text)
        if lone:
            notes.append(f"{counted(lone, 'lone surrogate')} removed")
    return text, tuple(notes)


def one_line(name: str) -> str:
    """A name as one line: what breaks lines or drives a terminal is a blank."""
    return name if name.isprintable() else _UNPRINTED.sub(" ", name)


@dataclass
class Decoder:
    """Bytes to text: byte-order mark, else UTF-8, else the likeliest older encoding, kept for all that follows."""

    fallback: str = ""

    def __call__(self, data: bytes) -> Line:
        """The decoded and cleaned text, and notes on what was not plain UTF-8."""
        encoding = _wide(data)
        if not encoding:
            try:
                # a lone surrogate is three odd bytes in a text that is UTF-8 all the same; `clean` takes it out
                return clean(data.decode("utf-8", "surrogatepass"))
            except UnicodeDecodeError as error:
                self.fallback = encoding = self.fallback or _guessed(data, error.start)
        text, notes = _forced(data, encoding)
        kept, removed = clean(text)
        return kept, notes + removed


def _wide(data: bytes) -> str:
    """The UTF-16 or UTF-32 form that `data` is in, by its mark or by its pattern of zero bytes, else ""."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return encoding
    head = data[:SNIFFED]
    half = len(head) // 2
    even, odd = head[::2].count(0), head[1::2].count(0)
    if half < 2 or max(even, odd) < 0.4 * half or min(even, odd) > 0.1 * half:
        return ""
    return "utf-16-le" if odd > even else "utf-16-be"


def _guessed(data: bytes, odd: int) -> str:
    escaped = len(_ESCAPED.findall(data.decode("utf-8", "surrogateescape")))
    if data.startswith(BOM_UTF8) or len(_MULTIBYTE.findall(data)) > escaped:
        return "utf-8"
    sample = data[max(0, odd - _GUESSED // 2) : odd + _GUESSED // 2]
    matches = from_bytes(sample, cp_isolation=list(_OLDER), enable_fallback=False)
    best = matches.best()
    if best is None:
        return "utf-8"
    western = (match for match in matches if "cp1252" in (match.encoding, *match.could_be_from_charset))
    return "cp1252" if any(match.chaos <= best.chaos + 0.02 for match in western) else best.encoding


def _forced(data: bytes, encoding: str) -> Line:
    if encoding == "utf-8":
        text, odd = _ESCAPED.subn("\ufffd", data.decode(encoding, "surrogateescape"))
        what = f"{counted(odd, 'byte')} could not be decoded as UTF-8 and {'was' if odd == 1 else 'were'} replaced"
        return text, (what,)
    text = data.decode(encoding, "replace")
    odd = text.count("\ufffd")
    return text, (f"read as {encoding}", *([f"{counted(odd, 'character')} could not be decoded"] if odd else []))


def decoded_lines(stream: Iterable[bytes]) -> Iterator[Line]:
    """Lines of a byte stream, each decoded on its own, line end kept; UTF-16 and UTF-32 are read whole."""
    decode = Decoder()
    pieces = iter(stream)
    first = next(pieces, b"")
    if _wide(first):
        text, notes = decode(first + b"".join(pieces))
        yield from ((line, notes) for line in _LINE.findall(text))
    else:
        yield from map(decode, chain([first], pieces))


def binary_kind(head: bytes) -> str:
    """What a file is whose first bytes are no text, else ""."""
    for mark, name in _MAGIC:
        if head.startswith(mark):
            return name
    # a tenth of random bytes are controls; a short text may have as many by accident
    odd = len(_CONTROLS.findall(head)) > (0.04 if len(head) >= 512 else 0.1) * len(head)
    return "many NUL or control bytes" if odd and not _wide(head) else ""
