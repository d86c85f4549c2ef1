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

/** A chart with its heading and, behind a summary, its table, as in a report. An earlier one with this id keeps its place and whether its table is open. */
export function figure(
  place: HTMLElement, id: string, title: string, caption: string, draw: (width: number) => SVGSVGElement | undefined,
  columns: readonly string[], rows: readonly (readonly string[])[],
): void {
  let made = document.getElementById(id);
  if (!made) {
    made = make("figure", { class: "card", id },
      make("figcaption", {}, make("h3", { id: `${id}-title` }), make("p", { id: `${id}-caption` })),
      make("div", { class: "stage" }),
      make("details", {}, make("summary", {}, "Table", make("span", { class: "unseen" }, `: ${title}`)), make("div")));
    place.append(made);
  }
  (made.querySelector("h3") as HTMLElement).textContent = title;
  (made.querySelector("figcaption p") as HTMLElement).textContent = caption;
  const stage = made.querySelector<HTMLElement>(".stage") as HTMLElement;
  const svg = draw(Math.max(stage.clientWidth, 260));
  // Parts of a picture have no role, so a name of their own says nothing to anybody.
  for (const part of svg?.querySelectorAll("g[aria-label]") ?? []) part.removeAttribute("aria-label");
  svg?.setAttribute("role", "img");
  svg?.setAttribute("aria-labelledby", `${id}-title ${id}-caption`);
  stage.replaceChildren(...(svg ? [svg] : []));
  (made.querySelector("details > :last-child") as HTMLElement).replaceWith(table(title, columns, rows));
}
