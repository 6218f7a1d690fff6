// The tensor-map explorer: puts controls, module and pictures together. The state lives in the page's address.

import { element } from "../common/dom.ts";
import { moduleOfPage } from "../common/wasm.ts";
import { LINE_BYTES } from "./banks.ts";
import { codeOf } from "./code.ts";
import { onThemeChange } from "./colors.ts";
import { buildControls, showMoreOf, showState } from "./controls.ts";
import { byId } from "./dom.ts";
import { GlobalPicture } from "./global_picture.ts";
import { TensorMapModule } from "./module.ts";
import { legendElements } from "./patterns.ts";
import { type Frame, Scroller } from "./scrolling.ts";
import { SharedPicture } from "./shared_picture.ts";
import { chosen, fromFragment, questionOf, type State, toFragment } from "./state.ts";
import { Tile } from "./tile.ts";
import { factElements, factsOf, paddingInWords, positionInWords, verdictOf } from "./words.ts";

const HINT = "Point at a position in one picture to see it in the other; or focus a picture and use the arrow keys.";

class Explorer {
  readonly module: TensorMapModule;
  readonly global: GlobalPicture;
  readonly shared: SharedPicture;
  readonly globalScroller: Scroller;
  private readonly sharedScroller: Scroller;
  state = fromFragment(location.hash);
  tile: Tile;
  /** The position that is marked, and the cell of shared memory that the reader has gone to. */
  private selected: number[] | null = null;
  private cell: number | undefined;

  constructor(root: HTMLElement, module: TensorMapModule) {
    this.module = module;
    root.replaceChildren(
      buildControls((edit) => this.change(edit)),
      element("div", { id: "explorer-verdict", class: "explorer-verdict", role: "status" }),
      element("p", { id: "explorer-position", class: "explorer-position", "aria-live": "polite" }, HINT),
      pictureElements(),
      element("dl", { id: "explorer-facts", class: "explorer-facts" }),
      codeElements(),
    );
    this.global = new GlobalPicture(byId("global", HTMLCanvasElement));
    this.shared = new SharedPicture(byId("shared-memory", HTMLCanvasElement));
    this.globalScroller = new Scroller(byId("global-scroll"));
    this.sharedScroller = new Scroller(byId("shared-memory-scroll"));
    this.listen();
    showMoreOf(this.state);
    this.tile = this.ask();
    this.draw();
  }

  listen() {
    addEventListener("hashchange", () => {
      if (location.hash === toFragment(this.state)) return;
      this.state = fromFragment(location.hash);
      showMoreOf(this.state);
      this.show();
    });
    byId("global").addEventListener("pointermove", (event) => {
      this.select(this.global.placeAt(event.offsetX, event.offsetY));
    });
    byId("shared-memory").addEventListener("pointermove", (event) => {
      this.selectCell(this.shared.cellAt(event.offsetX, event.offsetY));
    });
    for (const name of ["global", "shared-memory"]) {
      byId(name).addEventListener("pointerleave", () => this.select(null));
      byId(`${name}-scroll`).addEventListener("keydown", (event) => {
        this.onKey(event, name === "global");
      });
    }
    onThemeChange(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(byId("pictures"));
  }

  change(edit: (state: State) => void) {
    edit(this.state);
    history.replaceState(null, "", toFragment(this.state));
    this.show();
  }

  /** Asks the module, and shows its answer. */
  private show() {
    this.tile = this.ask();
    this.draw();
  }

  private ask() {
    const { state, module } = this;
    const elementBytes = module.elementBytes(chosen(state, "type").number);
    showState(state, elementBytes);
    const answer = module.ask(questionOf(state, elementBytes));
    const { title, reason } = verdictOf(answer);
    const verdict = byId("verdict");
    verdict.dataset.verdict = answer.verdict;
    verdict.replaceChildren(element("strong", {}, title), element("span", { class: "explorer-reason" }, reason));
    byId("code").textContent = codeOf(state, elementBytes, answer);
    byId("pictures").dataset.verdict = answer.verdict;
    byId("facts").replaceChildren(...(answer.verdict === "accepted" ? factElements(factsOf(state, answer)) : []));
    // Without pieces where the operation is refused: then the pictures show the tensor, the box, and no tile.
    return new Tile(answer, state.rank);
  }

  draw() {
    this.select(null);
    const { tile, state } = this;
    this.global.draw(state, tile, byId("global-scroll").clientWidth);
    this.shared.draw(state, tile, byId("shared-memory-scroll").clientWidth);
    byId("global-cut").hidden = !this.global.isCut();
    byId("shared-memory-cut").hidden = !this.shared.isCut();
    const numbers = `Numbers: ${state.color === "rows" ? "rows of the tile" : "banks"}`;
    const hasNumbers = this.global.hasNumbers() && this.global.kinds.has("moved");
    byId("global-legend").replaceChildren(...legendElements(this.global.kinds, state, hasNumbers ? numbers : ""));
    byId("shared-memory-legend").replaceChildren(
      ...legendElements(this.shared.kinds, state, this.shared.numbersInWords()),
    );
    this.globalScroller.beginAt(this.global.beginning());
  }

  /** Marks a position in both pictures, and says where it is. */
  select(place: number[] | null) {
    this.selected = place;
    const pieces = place ? this.tile.at(place).map((index) => this.tile.answer.pieces[index]) : [];
    mark(byId("global-mark"), place && this.global.frameOf(place), this.globalScroller);
    mark(byId("shared-memory-mark"), pieces[0] ? this.shared.frameOf(pieces[0]) : null, this.sharedScroller);
    mark(byId("shared-memory-mark-2"), pieces[1] ? this.shared.frameOf(pieces[1]) : null, this.sharedScroller);
    byId("position").textContent = place ? positionInWords(this.state, this.tile, place) : HINT;
  }

  /** The same, from a cell of shared memory. */
  selectCell(cell: number | null) {
    const { tile } = this;
    if (cell === null) return this.select(null);
    this.cell = cell;
    const index = tile.byCell.get(cell);
    if (index !== undefined) return this.select(tile.answer.pieces[index].place);
    this.select(null);
    byId("position").textContent = paddingInWords(this.state, cell * tile.cellBytes);
  }

  /** Arrow keys move through the picture that has the focus. */
  onKey(event: KeyboardEvent, inGlobal: boolean) {
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!move) return;
    event.preventDefault();
    if (inGlobal) {
      if (!this.selected) return this.select(this.state.at);
      const place = this.selected.slice();
      place[0] += move[0];
      place[1] += this.state.rank > 1 ? move[1] : 0;
      if (this.global.frameOf(place)) this.select(place);
      return;
    }
    const perLine = LINE_BYTES / this.tile.cellBytes;
    const next = this.cell === undefined ? 0 : this.cell + move[0] + move[1] * perLine;
    if (next >= 0 && next < this.shared.drawn * perLine) this.selectCell(next);
  }
}

/** Puts a frame around a part of a picture and scrolls there, or takes the frame away. */
function mark(frame: HTMLElement, place: Frame | null, scroller: Scroller) {
  frame.hidden = !place;
  if (!place) return;
  scroller.reveal(place);
  for (
    const [name, value] of Object.entries({ left: place.x, top: place.y, width: place.width, height: place.height })
  ) {
    frame.style.setProperty(name, `${value}px`);
  }
}

function pictureElements() {
  const picture = (name: string, title: string, cut: string) =>
    element(
      "figure",
      { class: "explorer-picture" },
      element("figcaption", {}, title, " ", element("small", { id: `explorer-${name}-cut`, hidden: "" }, cut)),
      element(
        "div",
        { class: "explorer-scroll", id: `explorer-${name}-scroll`, tabindex: "0", role: "group", "aria-label": title },
        element(
          "div",
          { class: "explorer-stage" },
          element("canvas", { id: `explorer-${name}`, role: "img", "aria-label": title }),
          element("div", { class: "explorer-mark", id: `explorer-${name}-mark`, hidden: "" }),
          element("div", { class: "explorer-mark", id: `explorer-${name}-mark-2`, hidden: "" }),
        ),
      ),
      element("ul", {
        class: "explorer-legend",
        id: `explorer-${name}-legend`,
        "aria-label": "What the patterns mean",
      }),
    );
  return element(
    "div",
    { class: "explorer-pictures", id: "explorer-pictures" },
    picture("global", "The tensor in global memory, and the box", "(what is around the box)"),
    picture("shared-memory", "The tile in shared memory, 32 banks wide", "(its first 256 lines)"),
  );
}

function codeElements() {
  const code = element("code", { id: "explorer-code" });
  return element(
    "details",
    { class: "explorer-code" },
    element("summary", {}, "The same in CUDA"),
    element("pre", {}, code),
  );
}

/** Shows the explorer in place of what the page says without it. */
async function start() {
  const root = document.getElementById("explorer") as HTMLElement;
  const module = await TensorMapModule.load(moduleOfPage());
  // For those who ask the module in the browser's console, and for the tests.
  Object.assign(globalThis, { tensorMapExplorer: new Explorer(root, module) });
}

start();
