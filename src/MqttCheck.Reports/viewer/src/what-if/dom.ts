import type { Chart, View } from "../chart.ts";
import { draw } from "../draw.ts";
import { addDownloads, nameAsWhole } from "../export.ts";

/** The element of an id, which the page has. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found as T;
}

/** A new element with attributes and children; texts are never markup. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string> = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A table in a region that scrolls sideways by itself, as in a report: the first column names the row. */
export function table(label: string, columns: readonly string[], rows: readonly (readonly string[])[]): HTMLElement {
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    make("table", {},
      make("thead", {}, make("tr", {}, ...columns.map((column) => make("th", { scope: "col" }, column)))),
      make("tbody", {}, ...rows.map(([first, ...rest]) =>
        make("tr", {}, make("th", { scope: "row" }, first ?? ""), ...rest.map((cell) => make("td", {}, cell)))))));
}

/** Nothing is chosen above the charts of this page. */
const view: View = { columns: [], chosen: new Map(), threshold: NaN };

/** The chart of each figure, and how wide it was when it was drawn. */
const charts = new WeakMap<Element, Chart | null>();
const widths = new WeakMap<Element, number>();

function drawOn(figure: Element): void {
  const stage = figure.querySelector<HTMLElement>(".stage") as HTMLElement;
  widths.set(figure, stage.clientWidth);
  const chart = charts.get(figure);
  const svg = chart && draw(chart, view, Math.max(stage.clientWidth, 260));
  if (svg) nameAsWhole(svg, figure.id);
  stage.replaceChildren(...(svg ? [svg] : []));
}

const resized = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const made = target.closest("figure");
    if (made && target.clientWidth > 0 && widths.get(made) !== target.clientWidth) drawOn(made);
  }
});

/** A chart with its heading and, behind a summary, its table, as in a report. An earlier one with this id keeps its place and whether its table is open. */
export function figure(
  place: HTMLElement, id: string, title: string, caption: string, chart: Chart | null,
  columns: readonly string[], rows: readonly (readonly string[])[],
): void {
  let made = document.getElementById(id);
  if (!made) {
    made = make("figure", { class: "card", id },
      make("figcaption", {}, make("h3", { id: `${id}-title` }), make("p", { id: `${id}-caption` })),
      make("div", { class: "stage" }),
      make("details", {}, make("summary", {}, "Table", make("span", { class: "unseen" }, `: ${title}`)), make("div")));
    place.append(made);
    addDownloads(made);
    const stage = made.querySelector(".stage");
    if (stage) resized.observe(stage);
  }
  (made.querySelector("h3") as HTMLElement).textContent = title;
  (made.querySelector("figcaption p") as HTMLElement).textContent = caption;
  charts.set(made, chart);
  drawOn(made);
  (made.querySelector("details > :last-child") as HTMLElement).replaceWith(table(title, columns, rows));
}
