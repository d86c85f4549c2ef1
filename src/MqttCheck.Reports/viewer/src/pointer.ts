import type { Chart } from "./chart.ts";
import type { Spot } from "./marks.ts";
import { part, textWidth } from "./svg.ts";

/** Farther than this nothing is meant. */
const reach = 40;
const lineHeight = 16;
const edge = 8;

/** How far a place is from a spot, in the direction that counts. */
function distance(spot: Spot, x: number, y: number, hover: Chart["hover"]): number {
  const dx = Math.max(0, Math.abs(x - spot.x) - spot.w);
  const dy = Math.max(0, Math.abs(y - spot.y) - spot.h);
  return hover === "across" ? dx + dy / 1e3 : hover === "row" ? dy + dx / 1e3 : Math.hypot(dx, dy);
}

function bubble(spot: Spot, width: number): SVGElement {
  const lines = spot.said().split("\n");
  const w = Math.max(...lines.map((line) => textWidth(line))) + 2 * edge;
  const h = lines.length * lineHeight + edge;
  const left = Math.min(Math.max(spot.x - w / 2, 0), Math.max(width - w, 0));
  const top = spot.y - spot.h - h - 8 > 0 ? spot.y - spot.h - h - 8 : spot.y + spot.h + 8;
  return part("g", { "data-part": "tip", "pointer-events": "none" },
    part("rect", { x: left, y: top, width: w, height: h, rx: 4, fill: "var(--surface)", stroke: "var(--soft)" }),
    ...lines.map((line, i) => part("text", { x: left + edge, y: top + edge / 2 + (i + 0.75) * lineHeight, fill: "var(--ink)" }, line)));
}

/** Shows under the pointer what the nearest mark says. */
export function connectPointer(svg: SVGSVGElement, width: number, spots: readonly Spot[], hover: Chart["hover"]): void {
  let tip: SVGElement | undefined;
  let shown: Spot | undefined;
  const show = (spot: Spot | undefined) => {
    if (spot === shown) return;
    shown = spot;
    tip?.remove();
    tip = spot && bubble(spot, width);
    if (tip) svg.append(tip);
  };
  const move = (event: PointerEvent) => {
    const box = svg.getBoundingClientRect();
    const [x, y] = [((event.clientX - box.left) * width) / box.width, ((event.clientY - box.top) * width) / box.width];
    let nearest: Spot | undefined;
    let least = reach;
    for (const spot of spots) {
      const far = distance(spot, x, y, hover);
      if (far < least) [least, nearest] = [far, spot];
    }
    show(nearest);
  };
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerdown", move);
  svg.addEventListener("pointerleave", () => show(undefined));
}
