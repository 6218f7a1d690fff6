"""The tensor-map explorer's pictures: where on the page they are, where they begin, and what their legends say."""

import pytest
from conftest import Reader
from playwright.sync_api import Page
from test_explorer import opened

PLANES = "rank=3&size=16,8,6&box=8,4,2&at=4,2,4"
FAR_OUT = "rank=5&size=32,16,4,2,2&box=16,8,1,1,1&at=16,4,0,0,4"
BEYOND = ["moved", "beyond"]
PHONE = {"width": 390, "height": 844}


def top_of(page: Page, name: str) -> float:
    return float(page.locator(f"#explorer-{name}-scroll").evaluate("one => one.getBoundingClientRect().top"))


def shows_the_box(page: Page) -> bool:
    shows = "tensorMapExplorer.globalScroller.shows(tensorMapExplorer.global.beginning()?.box ?? {x: 1e9})"
    return bool(page.evaluate(f"() => {shows}"))


def scrolled_to(page: Page) -> float:
    return float(page.locator("#explorer-global-scroll").evaluate("one => one.scrollTop"))


def scroll(page: Page, top: float) -> None:
    page.locator("#explorer-global-scroll").evaluate("(one, top) => { one.scrollTop = top; }", top)
    # The event that tells of it comes with the next frame.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def legend(page: Page, name: str) -> list[str]:
    items = page.locator(f"#explorer-{name}-legend > li[data-kind]")
    return [str(kind) for kind in items.evaluate_all("all => all.map(li => li.dataset.kind)")]


@pytest.mark.parametrize("rank", range(1, 6))
def test_the_tops_of_both_pictures_are_on_the_first_screen(reader: Reader, rank: int) -> None:
    page = opened(reader, f"rank={rank}")
    for name in ("global", "shared-memory"):
        assert top_of(page, name) < 700


@pytest.mark.parametrize("state", [PLANES, FAR_OUT, "size=16,96&box=8,4&at=4,90"])
@pytest.mark.parametrize("width", [390, 1440])
def test_a_picture_begins_at_its_box(reader: Reader, state: str, width: int) -> None:
    reader.page.set_viewport_size({"width": width, "height": 844})
    assert shows_the_box(opened(reader, state))


@pytest.mark.parametrize("at", range(-2, 6))
@pytest.mark.parametrize("box", [1, 2, 3, 4])
@pytest.mark.parametrize("dimension", [2, 3, 4])
def test_a_box_is_drawn_wherever_it_is(reader: Reader, at: int, box: int, dimension: int) -> None:
    zeros, ones = ["0"] * 5, ["1"] * 5
    zeros[dimension], ones[dimension], ones[0] = str(at), str(box), "4"
    page = opened(reader, f"rank=5&size=8,2,2,2,2&box={','.join(ones)}&at={','.join(zeros)}")
    assert page.evaluate("() => tensorMapExplorer.global.frameOf(tensorMapExplorer.state.at)")


def test_a_picture_follows_the_box_to_another_plane(reader: Reader) -> None:
    reader.page.set_viewport_size(PHONE)
    page = opened(reader, "rank=3&size=16,8,6&box=8,4,1&at=4,2,0")
    assert scrolled_to(page) == 0
    page.locator("#explorer-at-2").fill("5")
    assert scrolled_to(page) > 0
    assert shows_the_box(page)


def test_a_reader_who_has_scrolled_and_sees_the_box_stays_where_he_is(reader: Reader) -> None:
    reader.page.set_viewport_size(PHONE)
    page = opened(reader, "rank=3&size=16,8,6&box=8,4,1&at=4,2,3")
    place = scrolled_to(page) - 40
    scroll(page, place)
    page.locator("#explorer-at-0").fill("8")
    assert scrolled_to(page) == place


def test_a_reader_who_has_scrolled_away_is_brought_back_by_a_change(reader: Reader) -> None:
    reader.page.set_viewport_size(PHONE)
    page = opened(reader, "rank=3&size=16,8,6&box=8,4,1&at=4,2,5")
    scroll(page, 0)
    assert not shows_the_box(page)
    page.locator("#explorer-at-0").fill("8")
    assert shows_the_box(page)


@pytest.mark.parametrize(
    ("state", "in_tensor", "in_shared"),
    [
        ("size=16,8&box=8,4&at=4,2", ["moved", "rest"], ["moved"]),
        ("size=8,6&box=8,4&at=-4,-1", ["moved", "outside", "rest", "nowhere"], ["moved", "outside"]),
        ("size=8,6&box=8,4&at=4,4&op=store", ["moved", "outside", "rest", "nowhere"], ["moved", "outside"]),
        ("size=6,8&stride=32&box=4,4&at=4,0&op=store", [*BEYOND, "rest", "nowhere"], [*BEYOND, "gap"]),
        (
            "size=6,8&stride=32&box=12,2&at=0,0&op=store",
            [*BEYOND, "outside", "rest", "nowhere"],
            [*BEYOND, "outside", "gap"],
        ),
        ("type=f16&size=64,32&box=16,8&at=0,0&swizzle=64", ["moved", "rest"], ["moved", "gap"]),
    ],
)
def test_a_legend_names_each_pattern_in_use(
    reader: Reader, state: str, in_tensor: list[str], in_shared: list[str]
) -> None:
    page = opened(reader, state)
    assert legend(page, "shared-memory") == in_shared
    assert legend(page, "global") == in_tensor


def test_what_a_store_writes_behind_a_row_does_not_look_like_what_it_leaves(reader: Reader) -> None:
    page = opened(reader, "size=6,8&stride=32&box=12,2&at=0,0&op=store")
    looks = page.evaluate(
        """() => { const { global } = tensorMapExplorer;
            return [6, 9].map((column) => { const { x, y, width, height } = global.frameOf([column, 0, 0, 0, 0]);
                const copy = Object.assign(document.createElement("canvas"), { width, height });
                copy.getContext("2d").drawImage(global.canvas, -x, -y);
                return copy.toDataURL(); }); }"""
    )
    assert looks[0] != looks[1]
    assert "written all the same" in page.locator("#explorer-global-legend").inner_text()


def test_cells_of_shared_memory_have_coordinates_where_there_is_room(reader: Reader) -> None:
    page = opened(reader, "size=16,8&box=8,4&at=4,2")
    assert "coordinate 0 above coordinate 1" in page.locator("#explorer-shared-memory-legend").inner_text()
    page = opened(reader, "type=f64&size=16,8&box=8,4&at=2,2")
    assert "coordinates 0 and 1" in page.locator("#explorer-shared-memory-legend").inner_text()
    page = opened(reader, "type=u8&size=256,8&box=128,4&at=0,0")
    assert "Numbers" not in page.locator("#explorer-shared-memory-legend").inner_text()


def test_a_phone_folds_what_few_readers_set(reader: Reader) -> None:
    reader.page.set_viewport_size(PHONE)
    page = opened(reader, PLANES)
    controls = page.locator("#explorer-controls")
    assert controls.evaluate("one => one.getBoundingClientRect().height") < 520
    assert page.locator("#explorer-step-1").is_hidden()
    page.locator("#explorer-more").click()
    assert page.locator("#explorer-step-1").is_visible()
    assert page.locator("#explorer-stride-1").is_visible()
    page.locator("#explorer-more").click()
    assert page.locator("#explorer-step-1").is_hidden()


@pytest.mark.parametrize("part", ["step=1,2", "stride=128", "fill=nan", "interleave=16", "shared=128", "color=rows"])
def test_a_phone_shows_all_that_a_link_sets(reader: Reader, part: str) -> None:
    reader.page.set_viewport_size(PHONE)
    page = opened(reader, f"size=16,8&box=8,4&{part}")
    name = part.split("=")[0]
    control = {"step": "step-1", "stride": "stride-1"}.get(name, name)
    assert page.locator(f"#explorer-{control}").is_visible()
