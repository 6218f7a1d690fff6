"""What is known of mutants, kept between runs."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import asdict, dataclass

from tmagrade.basics.paths import HERE

KEPT = HERE.build / "mutants/results"


@dataclass(frozen=True)
class Result:
    verdict: str  # "found", "fails", "hangs", "survives", or "no program"
    codes: tuple[str, ...] = ()
    said: str = ""
    engine: str = ""


def digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:32]


def digest_of_emulator() -> str:
    files = [HERE.emulator_libraries / "libtmaemu.so", HERE.build / "bin/tmaemu"]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:32]


class Results:
    """Of one source, by the mutant's text. Of another emulator only what `keeps` names still counts."""

    def __init__(self, name: str, emulator: str, keeps: frozenset[str]) -> None:
        self.file = KEPT / (name.replace("/", "+") + ".json")
        self.emulator = emulator
        self.keeps = keeps | {"no program"}
        self.lock = threading.Lock()
        self.rows: dict[str, dict[str, object]] = {}
        if self.file.exists():
            self.rows = json.loads(self.file.read_text(encoding="utf-8"))

    def get(self, key: str) -> Result | None:
        row = self.rows.get(key)
        if row is None or (row["emulator"] != self.emulator and row["verdict"] not in self.keeps):
            return None
        codes = row["codes"]
        assert isinstance(codes, list | tuple)
        return Result(str(row["verdict"]), tuple(codes), str(row["said"]), str(row["engine"]))

    def is_of_this_emulator(self, key: str) -> bool:
        row = self.rows.get(key)
        return row is not None and (row["emulator"] == self.emulator or row["verdict"] == "no program")

    def put(self, key: str, result: Result) -> None:
        with self.lock:
            self.rows[key] = asdict(result) | {"emulator": self.emulator}

    def save(self) -> None:
        with self.lock:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            fresh = self.file.with_suffix(".new")
            fresh.write_text(json.dumps(self.rows, indent=0), encoding="utf-8")
            fresh.replace(self.file)
