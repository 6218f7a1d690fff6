"""What a reader opens the book for works: a kernel to step through, both explorers and the search. `make test-pages`
runs this file alone, in less than a minute; the others of this folder say more of each."""

from conftest import Reader


def test_a_kernel_with_tensor_cores_ends_right_and_without_a_finding(reader: Reader) -> None:
    page = reader.open("stepping/main-loop.html")
    page.wait_for_function("globalThis.steppingPlayer")
    page.get_by_role("button", name="to the end").click()
    assert "its result is right, and nothing was found" in page.locator(".stepping-words").inner_text()


def test_a_line_that_is_taken_away_is_found(reader: Reader) -> None:
    page = reader.open("stepping/main-loop.html")
    page.wait_for_function("globalThis.steppingPlayer")
    page.locator("[data-version=wait]").check()
    page.evaluate("steppingPlayer.ready")
    page.get_by_role("button", name="to the end").click()
    assert "main-loop.cu:" in page.locator(".stepping-finding").inner_text()
    assert page.locator("[data-wrong]").count() > 0


def test_an_example_of_a_finding_runs(reader: Reader) -> None:
    page = reader.open("findings/missing-proxy-fence.html")
    page.wait_for_function("globalThis.steppingPlayer")
    page.get_by_role("button", name="to the end").click()
    assert "[missing-proxy-fence]" in page.locator(".stepping-finding").inner_text()


def test_the_tensor_map_explorer_answers(reader: Reader) -> None:
    page = reader.open("guide/tensor-map-explorer.html#size=16,8&box=8,4&at=-4,2")
    verdict = page.locator("#explorer-verdict")
    verdict.locator("strong").wait_for()
    assert verdict.get_attribute("data-verdict") == "accepted"
    page.locator("#explorer-box-0").fill("3")
    assert verdict.get_attribute("data-verdict") == "driver"  # which refuses it


def test_the_matrix_descriptor_explorer_answers(reader: Reader) -> None:
    page = reader.open("guide/matrix-descriptor-explorer.html#lines=64&swizzle=128&stride=1024")
    page.locator(".descriptor-memory td").first.wait_for()
    ask = "e => e.module.ask(e.state).chunks.slice(0, 3).map(chunk => chunk.address)"
    assert page.evaluate(f"({ask})(descriptorExplorer)") == [0, 16, 144]


def test_the_search_finds_the_page_of_a_word(reader: Reader) -> None:
    page = reader.open("index.html")
    page.locator(".sidebar-search").fill("missing-proxy-fence")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#search-results .search-summary')?.innerText.includes('finished')")
    links = page.locator("#search-results li a").evaluate_all("links => links.map(link => link.href)")
    assert any("findings/missing-proxy-fence.html" in link for link in links)
