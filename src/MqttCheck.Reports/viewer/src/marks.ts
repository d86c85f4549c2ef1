import { numbers, type Mark, type View } from "./chart.ts";
import { inTime, shareBelow } from "./distribution.ts";
import type { Layout } from "./layout.ts";
import { outline, part, place, symbol, textWidth } from "./svg.ts";
import { colour, milliseconds, number, probability } from "./theme.ts";

/** A place of a mark that the pointer can find, with what is said there. */
export interface Spot {
  x: number;
  y: number;
  /** Half the size of a box, in which every place is as near. */
  w: number;
  h: number;
  said: () => string;
}

/** Whole numbers would stack all points on lines; Mark.Jitter in C# moves them apart in the same way. */
const jitter = (index: number): number => (((index * 0.618033988749895) % 1) - 0.5) * 0.9;

const format = (template: string, x: number, y: number): string => template.replace(/\{([xy])(?::(\w))?\}/g, (_, axis: string, kind?: string) => {
  const value = axis === "x" ? x : y;
  return kind === "p" ? probability(value) : kind === "0" ? number(Math.round(value)) : kind ? value.toFixed(Number(kind)) : number(value);
});

/** The columns of a mark for this view: what is drawn of what is chosen is computed here. */
function columns(mark: Mark, view: View, { axis }: Layout): { x: number[]; y: number[] } {
  const x = numbers(view, mark.x);
  if (mark.shape === "distribution") {
    // What never came keeps the curve below 1.
    const finite = x.filter(Number.isFinite);
    const { low = 0, high = 0 } = axis.scale;
    return { x: [low, ...finite, high], y: [0, ...finite.map((_, i) => (i + 1) / x.length), finite.length / x.length] };
  }
  if (mark.shape === "reading") return { x: [view.threshold], y: [shareBelow(x, view.threshold)] };
  if (mark.shape === "level") {
    const isDrawn = !numbers(view, mark.except).includes(view.threshold);
    return { x, y: (mark.of ?? []).map((setup) => (isDrawn ? inTime(view, setup, view.threshold)?.p ?? NaN : NaN)) };
  }
  return { x, y: numbers(view, mark.y) };
}

/** The corners of a line that keeps each value until the next; steps that nobody could see are left out. */
function stepped(x: readonly number[], y: readonly number[]): [number, number][] {
  const corners: [number, number][] = [];
  x.forEach((at, i) => {
    const last = corners.at(-1);
    if (last && i < x.length - 1 && at - last[0] < 0.4) return;
    if (last) corners.push([at, last[1]]);
    corners.push([at, y[i] ?? NaN]);
  });
  return corners;
}

const path = (points: readonly (readonly [number, number])[]): string => points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${place(x, y)}`).join("");

const zip = (x: readonly number[], y: readonly number[]): [number, number][] => x.map((at, i) => [at, y[i] ?? NaN]);

const band = (lower: readonly (readonly [number, number])[], upper: readonly (readonly [number, number])[], fill: string, opacity: number): SVGElement =>
  part("path", { d: `${path(upper)}${path([...lower].reverse()).replace("M", "L")}z`, fill, "fill-opacity": opacity, stroke: "none" });

/** The threshold that is chosen, and the share that it reads off. Its name stands above the data, where no curve is, and inside of the drawing. */
function reading(x: number, y: number, threshold: number, layout: Layout, fill: string, dashes: string): Node[] {
  const line = { stroke: fill, "stroke-width": 1.5, "stroke-dasharray": dashes };
  const half = textWidth(milliseconds(threshold), 600) / 2;
  const at = Math.min(Math.max(x, layout.left), layout.width - layout.right);
  return [
    part("line", { x1: at, x2: at, y1: layout.bottom, y2: layout.top, ...line }),
    part("line", { x1: layout.left, x2: at, y1: y, y2: y, ...line }),
    symbol("circle", at, y, 9, fill, false),
    part("text", { x: Math.min(Math.max(at, half), layout.width - half), y: layout.top - 6, "text-anchor": "middle", fill, "font-weight": 600 }, milliseconds(threshold)),
  ];
}

/** The size of texts that have room in their columns; 0 where none would be read. */
function textSize(texts: readonly string[], { axis, width, left, right }: Layout): number {
  const room = axis.names ? (width - left - right) / axis.names.length : Infinity;
  const widest = Math.max(0, ...texts.map((text) => textWidth(text)));
  return widest < room ? 12 : (widest * 10) / 12 < room + 2 ? 10 : 0;
}

/** Draws a mark, and tells where the pointer finds it. */
export function drawMark(mark: Mark, view: View, layout: Layout, spots: Spot[]): SVGElement {
  const { shape = "line", opacity, size, symbol: form = "circle" } = mark;
  const values = columns(mark, view, layout);
  const isLogarithmic = layout.axis.scale.isLogarithmic;
  const across = (value: number, i: number) => (isLogarithmic && value <= 0 ? NaN : layout.x(mark.isJittered ? value + jitter(i) : value) + (mark.dx ?? 0));
  const x = values.x.map(across);
  const y = values.y.map(layout.y);
  const x2 = mark.x2 === undefined ? x : numbers(view, mark.x2).map(across);
  const y2 = mark.y2 === undefined ? y : numbers(view, mark.y2).map(layout.y);
  const shown = x.map((_, i) => i).filter((i) => [x[i], y[i], x2[i], y2[i]].every((value) => Number.isFinite(value)));
  const fill = colour(mark.role);
  const dashes = mark.isDashed ? "6 4" : "none";
  const stroked = { stroke: fill, "stroke-width": size, "stroke-dasharray": dashes, fill: "none" };
  const box = (i: number) => ({ left: Math.min(x[i] ?? 0, x2[i] ?? 0), top: Math.min(y[i] ?? 0, y2[i] ?? 0), w: Math.abs((x2[i] ?? 0) - (x[i] ?? 0)), h: Math.abs((y2[i] ?? 0) - (y[i] ?? 0)) });
  const group = (attributes: Record<string, string | number>, ...children: Node[]) => part("g", { "data-part": shape, ...attributes }, ...children);
  const line = (points: [number, number][]) => group(stroked, part("path", { d: path(points), "stroke-linejoin": "round" }));

  if (mark.tip !== undefined || mark.tips !== undefined) {
    for (const i of shown) {
      const { left, top, w, h } = box(i);
      spots.push({ x: left + w / 2, y: top + h / 2, w: w / 2, h: h / 2, said: () => mark.tips?.[i] ?? format(mark.tip ?? "", values.x[i] ?? NaN, values.y[i] ?? NaN) });
    }
  }
  switch (shape) {
    case "steps":
      return line(stepped(x, y));
    case "band":
      return group({}, band(zip(x, y), zip(x, y2), fill, opacity));
    case "boxes":
      return group({ fill, "fill-opacity": opacity }, ...shown.map((i) => {
        const { left, top, w, h } = box(i);
        return part("rect", { x: left, y: top, width: w, height: h });
      }));
    case "segments":
      return group({ ...stroked, "stroke-opacity": opacity }, ...shown.map((i) => part("line", { x1: x[i] ?? 0, y1: y[i] ?? 0, x2: x2[i] ?? 0, y2: y2[i] ?? 0 })));
    case "symbols":
      return group({ opacity }, ...shown.map((i) => symbol(form, x[i] ?? 0, y[i] ?? 0, size, fill, mark.isHollow ?? false)));
    case "dots":
      // One path: many times faster to draw and to repaint than an element for each of thousands.
      return group({ fill, "fill-opacity": opacity }, part("path", { d: shown.map((i) => outline(form, x[i] ?? 0, y[i] ?? 0, size)).join(""), "data-shape": form }));
    case "texts": {
      const font = textSize(mark.texts ?? [], layout);
      return group({ fill, "text-anchor": "middle", "font-size": font }, ...(font === 0 ? [] : shown).map((i) => part("text", { x: x[i] ?? 0, y: y[i] ?? 0, dy: "0.35em" }, mark.texts?.[i] ?? "")));
    }
    case "distribution": {
      const half = mark.halfWidth ?? 0;
      const edge = (by: number) => stepped(x, values.y.map((share) => layout.y(Math.min(1, Math.max(0, share + by)))));
      return group(stroked, band(edge(-half), edge(half), fill, half > 0 ? opacity : 0), part("path", { d: path(stepped(x, y)) }));
    }
    case "reading":
      return group({}, ...(shown.length > 0 ? reading(x[0] ?? NaN, y[0] ?? NaN, view.threshold, layout, fill, dashes) : []));
    default: {
      const points = shown.map((i): [number, number] => [x[i] ?? 0, y[i] ?? 0]);
      const [first] = points;
      return first && points.length > 1 ? line(points) : group({}, ...(first ? [symbol("circle", ...first, 6, fill, false)] : []));
    }
  }
}
