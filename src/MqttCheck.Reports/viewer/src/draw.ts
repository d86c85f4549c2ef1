import { isShown, type Chart, type LegendKey, type View } from "./chart.ts";
import { lay, spread, type Layout } from "./layout.ts";
import { drawMark, type Spot } from "./marks.ts";
import { connectPointer } from "./pointer.ts";
import { part, symbol, textWidth, wrapped } from "./svg.ts";
import { colour } from "./theme.ts";

const lineHeight = 15;
const keyHeight = 20;
const slant = 38;
const soft = colour("soft");
const ink = colour("ink");

const write = (x: number, y: number, text: string, fill: string, anchor = "start", more: Record<string, string | number> = {}): SVGElement =>
  part("text", { x, y, fill, "text-anchor": anchor, ...more }, text);

/** Grid, ticks and names of the horizontal axis; how much room it takes below the data. */
function drawAcross(svg: SVGElement, { axis, ticks, x, top, bottom, left, right, width }: Layout): number {
  const stroke = colour("line");
  if (axis.hasGrid) svg.append(part("g", { "data-part": "x-grid", stroke }, ...ticks.map(({ at = 0 }) => part("line", { x1: x(at), x2: x(at), y1: top, y2: bottom }))));
  svg.append(
    part("g", { "data-part": "x-axis tick", stroke: soft }, ...ticks.map(({ at = 0 }) => part("line", { x1: x(at), x2: x(at), y1: bottom, y2: bottom + 4 }))),
    part("g", { "data-part": "x-axis tick label" }, ...ticks.map(({ at = 0, text }) => write(x(at), bottom + 18, text, ink, "middle"))),
    part("g", { "data-part": "x-axis label" }, ...(axis.label ? [write((left + width - right) / 2, bottom + 37, axis.label, ink, "middle")] : [])));
  const names = axis.names ?? [];
  svg.append(...names.map((name, i) => write(0, 0, name, soft, "end", { transform: `translate(${x(i) + 4},${bottom + 14}) rotate(${-slant})` })));
  const slanted = Math.max(0, ...names.map((name) => textWidth(name))) * Math.sin((slant * Math.PI) / 180);
  return (ticks.length > 0 ? 24 : 6) + (axis.label ? 19 : 0) + slanted + (names.length > 0 ? 12 : 0);
}

/** Grid, ticks and names of the vertical axis, or the names of rows. */
function drawUp(svg: SVGElement, { y: axis }: Chart, { y, left, right, width, isAbove }: Layout): void {
  const ticks = axis.ticks[0] ?? [];
  if (axis.hasGrid) svg.append(part("g", { "data-part": "y-grid", stroke: colour("line") }, ...ticks.map(({ at = 0 }) => part("line", { x1: left, x2: width - right, y1: y(at), y2: y(at) }))));
  svg.append(part("g", { "data-part": "y-axis tick label" }, ...ticks.map(({ at = 0, text }) => write(left - 7, y(at), text, ink, "end", { dy: "0.32em" }))));
  const details = axis.details;
  (axis.names ?? []).forEach((name, row) => {
    const [x, at, anchor] = isAbove ? [left, y(0.5 - row) - 5, "start"] : [left - 10, y(-row) + (details ? -4 : 4), "end"];
    svg.append(write(x, at, name, isAbove ? soft : ink, anchor));
    if (details) svg.append(write(isAbove ? left + textWidth(name) + 8 : x, isAbove ? at : at + 16, details[row] ?? "", soft, anchor));
  });
}

/** The sign of a legend entry, in a width of 22. */
function sign({ role, shape, symbol: form }: LegendKey, x: number, y: number): Node[] {
  const fill = colour(role);
  if (shape === "band" || shape === "box") return [part("rect", { x, y: y - 5, width: 22, height: 10, fill, "fill-opacity": shape === "band" ? 0.2 : 1 })];
  if (shape === "full" || shape === "hollow") return [symbol(form ?? "circle", x + 11, y, 8, fill, shape === "hollow")];
  const line = part("line", { x1: x, x2: x + 22, y1: y, y2: y, stroke: fill, "stroke-width": 2, "stroke-dasharray": shape === "dashed" ? "6 4" : "none" });
  return form ? [line, symbol(form, x + 11, y, 7.5, fill, true)] : [line];
}

/** The meanings of colours and symbols in lines below the chart; where they end. */
function drawLegend(svg: SVGElement, keys: readonly LegendKey[], width: number, top: number): number {
  const legend = part("g", { class: "legend" });
  let [x, y] = [2, top + 12];
  for (const key of keys) {
    const room = 28 + textWidth(key.text);
    if (x > 2 && x + room > width) [x, y] = [2, y + keyHeight];
    legend.append(...sign(key, x, y), write(x + 28, y + 4, key.text, soft));
    x += room + 16;
  }
  svg.append(legend);
  return keys.length > 0 ? y + 12 : top;
}

/** Draws a chart in a width of pixels. It knows marks and axes, and no chart. */
export function draw(chart: Chart, view: View, width: number): SVGSVGElement {
  const marks = chart.marks.filter(({ when }) => isShown(view, when));
  const label = chart.y.label ? [{ text: chart.y.label, fill: ink, weight: 400 }] : [];
  const notes = chart.notes.flatMap(({ text, role }) => wrapped(text, width - 4).map((line) => ({ text: line, fill: colour(role), weight: 600 })));
  // A threshold that is chosen is named above the data.
  const room = marks.some(({ shape }) => shape === "reading") ? 1 : 0;
  const lines = [...label, ...notes];
  const layout = lay(chart, view, width, lines.length + room);
  const svg = part("svg", { role: "img", width, "text-rendering": "geometricPrecision" }) as SVGSVGElement;
  lines.forEach(({ text, fill, weight }, i) => {
    const line = write(2, 12 + i * lineHeight, text, fill, "start", { "font-weight": weight });
    svg.append(i < label.length ? part("g", { "data-part": "y-axis label" }, line) : line);
  });
  const below = drawAcross(svg, layout);
  drawUp(svg, chart, layout);
  const spots: Spot[] = [];
  svg.append(...marks.map((mark) => drawMark(mark, view, layout, spots)));
  const ends = spread(layout.ends.map(({ y = 0 }) => layout.y(y)), 15, layout.top, layout.bottom);
  svg.append(...layout.ends.map(({ text, role }, i) => write(width - layout.right + 6, ends[i] ?? 0, text, colour(role), "start", { dy: "0.35em", "font-weight": 600 })));
  const height = drawLegend(svg, chart.legend, width, layout.bottom + below);
  svg.setAttribute("height", String(Math.ceil(height)));
  svg.setAttribute("viewBox", `0 0 ${width} ${Math.ceil(height)}`);
  connectPointer(svg, width, spots, chart.hover);
  return svg;
}
