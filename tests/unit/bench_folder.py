"""A benchmark folder of ten passages and four questions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

PASSAGES = [
    ("Ada Lovelace", "Ada Lovelace wrote notes on the Analytical Engine, a machine of Charles Babbage."),
    ("Charles Babbage", "Charles Babbage designed the Analytical Engine. He was born in Walworth."),
    ("Walworth", "Walworth is a district of south London."),
    ("Marie Curie", "Marie Curie discovered polonium and radium with Pierre Curie."),
    ("Pierre Curie", "Pierre Curie was killed in the Rue Dauphine by a horse-drawn waggon."),
    ("Rue Dauphine", "The Rue Dauphine is a street in Paris near the Pont Neuf."),
    ("Polonium", "Polonium is a metal named after Poland."),
    ("Pont Neuf", "The Pont Neuf is the oldest standing bridge across the Seine in Paris."),
    ("Seine", "The Seine flows through Paris and reaches the sea at Le Havre."),
    ("Le Havre", "Le Havre is a port in Normandy."),
]
QUESTIONS = [
    ("Where was the designer of the engine that Ada Lovelace wrote notes on born?", [0, 1]),
    ("In which street was the husband of Marie Curie killed?", [3, 4]),
    ("After which country is the metal that Marie Curie discovered named?", [3, 6]),
    ("Where does the river under the Pont Neuf reach the sea?", [7, 8]),
]


def write(
    folder: Path,
    passages: Sequence[Mapping[str, Any]] | None = None,
    questions: Sequence[Mapping[str, Any]] | None = None,
) -> Path:
    folder.mkdir(exist_ok=True)
    usual = [{"id": f"p{number}", "title": title, "text": text} for number, (title, text) in enumerate(PASSAGES)]
    asked = [
        {
            "id": f"q{number}",
            "question": text,
            "answers": ["?"],
            "support": [f"p{n}" for n in support],
            "kind": "bridge",
        }
        for number, (text, support) in enumerate(QUESTIONS)
    ]
    for name, rows in (("corpus", usual if passages is None else passages), ("questions", questions or asked)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return folder
