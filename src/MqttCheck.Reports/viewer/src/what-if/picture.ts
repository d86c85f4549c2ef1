import type { Picture } from "./api.ts";
import { delayOf } from "./topology.ts";
import { number } from "../theme.ts";

/** The longest delay that a drag or a key gives, in ms; a number box has no such end. */
export const longestDrag = 1000;

/** So many links have a place of their own for the Tab key; of more, the list beside the picture has. */
const mostStops = 40;

const svgNamespace = "http://www.w3.org/2000/svg";
const size = 360;
const steps: Record<string, number> = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 };

export interface Actions {
  /** A link's delay is another one; more may follow until it is done. */
  delay: (link: number, milliseconds: number, isDone: boolean) => void;
  choose: (node: string) => void;
}

function make(name: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

const within = (milliseconds: number): number => Math.min(Math.max(Math.round(milliseconds), 0), longestDrag);

/** When a fault hits a node by itself. */
function killed(faults: readonly string[], node: string): string {
  return faults.map((fault) => fault.split(/\s+/)).filter(([verb, name]) => (verb === "kill" || verb === "stop" || verb === "freeze") && name === node).map((words) => `✕ ${words[3]}`).join(" ");
}

/** The picture of a topology: links are sliders of their delays, nodes are buttons. */
export class TopologyView {
  private links: { group: SVGElement; label: SVGElement; value: number }[] = [];

  constructor(private readonly place: HTMLElement, private readonly actions: Actions) {}

  show(picture: Picture, chosen: string): void {
    const { nodes, links } = picture;
    const radius = nodes.length > 16 ? 11 : 19;
    const at = nodes.map((_, index) => {
      const angle = (2 * Math.PI * index) / nodes.length - Math.PI / 2;
      return nodes.length === 1 ? [size / 2, size / 2] as const : [size / 2 + (size / 2 - 34) * Math.cos(angle), size / 2 + (size / 2 - 34) * Math.sin(angle)] as const;
    });
    const hasFocus = this.place.contains(document.activeElement) ? (document.activeElement as Element).getAttribute("aria-label") : null;
    const svg = make("svg", { viewBox: `0 0 ${size} ${size}`, role: "group", "aria-label": "Picture of the topology", class: "topology" });
    this.links = links.map((link, index) => this.link(svg, picture, link, index, at));
    nodes.forEach(({ name, sites }, index) => {
      const linked = links.flatMap(({ from, to }) => (from === index ? [nodes[to]?.name] : to === index ? [nodes[from]?.name] : []));
      const [x, y] = at[index] ?? [0, 0];
      const fault = killed(picture.faults, name);
      const said = `${name}: linked to ${linked.length > 0 ? linked.join(", ") : "none"}${sites.length > 0 ? `; sites ${sites.join(", ")}` : ""}${fault === "" ? "" : `; fault ${fault.replaceAll("✕ ", "at ")}`}`;
      const node = make("g", { class: "node", role: "button", tabindex: 0, "aria-label": said, "aria-pressed": String(name === chosen), "data-node": name },
        make("title", {}, said), make("circle", { cx: x, cy: y, r: radius }),
        make("text", { x, y: y + 4, "font-size": nodes.length > 16 || name.length > 4 ? 9 : 12 }, name));
      const choose = () => this.actions.choose(name);
      node.addEventListener("click", choose);
      node.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose();
      });
      svg.append(node);
      // The node's name for screen readers has the fault too.
      if (fault !== "") svg.append(make("text", { class: "fault", "aria-hidden": "true", x, y: y + radius + 11, "font-size": 10 }, fault));
    });
    this.place.replaceChildren(svg);
    if (hasFocus !== null) [...svg.querySelectorAll<SVGElement>("[tabindex]")].find((part) => part.getAttribute("aria-label") === hasFocus)?.focus();
  }

  chosen(node: string): void {
    for (const part of this.place.querySelectorAll<SVGElement>(".node")) part.setAttribute("aria-pressed", String(part.dataset["node"] === node));
  }

  /** Writes a delay beside its link. */
  delay(index: number, milliseconds: number): void {
    const link = this.links[index];
    if (!link) return;
    link.value = milliseconds;
    link.label.textContent = number(milliseconds);
    link.group.setAttribute("aria-valuenow", String(Math.min(milliseconds, longestDrag)));
    link.group.setAttribute("aria-valuetext", `${number(milliseconds)} ms`);
  }

  private link(svg: SVGElement, { nodes, links }: Picture, link: Picture["links"][number], index: number, at: (readonly [number, number])[]): { group: SVGElement; label: SVGElement; value: number } {
    const [[x1 = 0, y1 = 0] = [], [x2 = 0, y2 = 0] = []] = [at[link.from], at[link.to]];
    const value = delayOf(link);
    // Labels in the middle of a mesh would lie on each other.
    const share = links.length > nodes.length ? 0.35 : 0.5;
    const label = make("text", { x: x1 + share * (x2 - x1), y: y1 + share * (y2 - y1) + 4, "font-size": 11 });
    const group = make("g", {
      class: "link", role: "slider", tabindex: links.length > mostStops ? -1 : 0, "aria-orientation": "vertical", "aria-valuemin": 0, "aria-valuemax": longestDrag,
      "aria-label": `Delay of the link from ${nodes[link.from]?.name} to ${nodes[link.to]?.name} in ms`, "data-link": index,
    }, make("line", { class: "hit", x1, y1, x2, y2 }), make("line", { x1, y1, x2, y2 }), ...(links.length > mostStops ? [] : [label]));
    svg.append(group);
    const made = { group, label, value };
    group.addEventListener("keydown", (event) => {
      const step = steps[event.key];
      if (step === undefined && event.key !== "Home" && event.key !== "End") return;
      event.preventDefault();
      const milliseconds = within(event.key === "Home" ? 0 : event.key === "End" ? longestDrag : made.value + (step ?? 0));
      this.delay(index, milliseconds);
      this.actions.delay(index, milliseconds, false);
    });
    this.drag(group, index, made);
    queueMicrotask(() => this.delay(index, value));
    return made;
  }

  // Up is longer, as with a slider that stands; a pixel is a millisecond.
  private drag(group: SVGElement, index: number, made: { value: number }): void {
    let from: { y: number; value: number } | undefined;
    group.addEventListener("pointerdown", (event) => {
      from = { y: event.clientY, value: made.value };
      group.setPointerCapture(event.pointerId);
      group.focus();
      event.preventDefault();
    });
    group.addEventListener("pointermove", (event) => {
      if (!from) return;
      const milliseconds = within(from.value + from.y - event.clientY);
      this.delay(index, milliseconds);
      this.actions.delay(index, milliseconds, false);
    });
    const end = () => {
      if (from && from.value !== made.value) this.actions.delay(index, made.value, true);
      from = undefined;
    };
    group.addEventListener("pointerup", end);
    group.addEventListener("pointercancel", end);
  }
}
