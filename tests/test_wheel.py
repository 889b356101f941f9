"""The built wheel works by itself: its SQL and sample data travel with it, and it runs from any folder."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest

from mosaic_sql import sqlfiles

ROOT = Path(__file__).parents[1]

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> str:
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(list(map(str, command)), cwd=cwd, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout.strip()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel built from it, with the build tools of this environment."""
    if importlib.util.find_spec("build") is None or importlib.util.find_spec("hatchling") is None:
        pytest.skip("needs build and hatchling")
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, cwd=ROOT)
    return out


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing but the wheel; its dependencies are looked up in this one, so nothing is fetched."""
    place = tmp_path_factory.mktemp("env")
    run(sys.executable, "-m", "venv", place, cwd=place)
    (wheel,) = built.glob("*.whl")
    run(place / "bin" / "python", "-m", "pip", "install", "-q", "--no-deps", "--no-index", wheel, cwd=place)
    (site,) = place.glob("lib/python*/site-packages")
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return place


def test_the_archives_hold_what_the_package_needs(built: Path) -> None:
    (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    for folder, place in (("sql", "mosaic_sql/sql"), ("sample_data", "mosaic_sql/sample_data")):
        files = [path.relative_to(ROOT / folder) for path in (ROOT / folder).rglob("*") if path.is_file()]
        assert {f"{place}/{file.as_posix()}" for file in files} <= inside
    assert {"mosaic_sql/models/minilm_tokenizer.json", "mosaic_sql/models/NOTICE.md", "mosaic_sql/py.typed"} <= inside
    assert "mosaic_sql/ingest/extraction.txt" in inside
    assert "mosaic_sql/analyze/prompts/analyzer.txt" in inside
    assert not any(name.startswith(("tests/", "docs/", "sql/")) for name in inside)
    with tarfile.open(sdist) as tar:
        names = {name.split("/", 1)[-1] for name in tar.getnames()}
    assert {"pyproject.toml", "LICENSE", "cli.py", "tests/test_wheel.py", "sample_data/questions.jsonl"} <= names


def test_the_installed_package_finds_its_sql(installed: Path, tmp_path: Path) -> None:
    python = installed / "bin" / "python"
    shown = run(python, "-c", "import mosaic_sql.sqlfiles as s; print(len(s.names()), s.root())", cwd=tmp_path)
    count, root = shown.split(" ", 1)
    assert int(count) == len(sqlfiles.names())
    assert Path(root).is_relative_to(installed)


def test_the_command_runs_from_another_folder(installed: Path, tmp_path: Path) -> None:
    if importlib.util.find_spec("mosaic_sql.commands") is None:
        pytest.skip("there are no commands yet")
    assert run(installed / "bin" / "mosaic", "--help", cwd=tmp_path).startswith("Usage: mosaic")
