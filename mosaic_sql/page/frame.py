"""What every page has: the head, the colours of day and night, the plain look of text and tables."""

from __future__ import annotations

from html import escape
from importlib import resources
from string import Template


def framed(package: str, title: str, **parts: str) -> str:
    """The page of a package: its `page.html` with the parts in place, its `page.css` after the common style.

    The title is escaped; parts are HTML.
    """
    own = resources.files(package)
    body = Template(own.joinpath("page.html").read_text(encoding="utf-8")).substitute(parts)
    frame = resources.files(__package__).joinpath("frame.html").read_text(encoding="utf-8")
    style = own.joinpath("page.css").read_text(encoding="utf-8")
    return Template(frame).substitute(title=escape(title), style=style, body=body)
