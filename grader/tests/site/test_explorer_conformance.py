"""What the page's module says of the tensor maps that an H200's driver was asked: the same."""

import base64

from conftest import ROOT, Reader

QUESTIONS = ROOT / "build" / "explorer" / "map-questions.bin"  # of tests/conformance/map_questions.cpp
MAPS = 30_000
RECORD_BYTES = 216

# The questions go in as the page asks its own, and only verdicts come out.
ASK_ALL = """text => {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    const module = tensorMapExplorer.module;
    const wrong = [];
    let accepted = 0;
    let count = 0;
    for (let at = 0; at < bytes.length; at += 216, ++count) {
        const list = (read, first, length, size) =>
            Array.from({ length }, (_, i) => view[read](at + first + i * size, true));
        const wide = (first, length) => list("getBigUint64", first, length, 8);
        const words = (first, length) => list("getUint32", first, length, 4);
        const [mode, type, rank, interleave, swizzle, l2Promotion, fill] = words(80, 7);
        const [channels, pixels] = words(172, 2);
        const [address] = wide(0, 1);
        const answer = module.ask({
            address, size: wide(8, 5), stride: wide(48, 4), mode, type, rank, interleave, swizzle, l2Promotion, fill,
            box: words(108, 5), elementStride: words(128, 5), lowerCorner: words(148, 3), upperCorner: words(160, 3),
            channels, pixels, coordinates: words(180, 5), direction: 1, sharedAddress: 0 });
        const [expected] = wide(208, 1);
        accepted += answer.verdict !== "driver";
        if ((answer.verdict !== "driver") !== (expected === 1n)) wrong.push(`${count}: ${answer.message}`);
    }
    return { count, accepted, wrong: wrong.slice(0, 10), wrongCount: wrong.length };
}"""


def test_the_module_accepts_and_refuses_what_the_driver_of_an_h200_does(reader: Reader) -> None:
    questions = QUESTIONS.read_bytes()
    assert len(questions) == MAPS * RECORD_BYTES
    page = reader.open("guide/tensor-map-explorer.html")
    page.locator("#explorer-verdict strong").wait_for()
    told = page.evaluate(ASK_ALL, base64.b64encode(questions).decode())
    assert told["wrong"] == []
    assert told["count"] == MAPS
    assert 0 < told["accepted"] < MAPS
