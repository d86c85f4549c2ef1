import { axisX, axisY, gridX, gridY, plot, type Markish, type PlotOptions } from "@observablehq/plot";
import { line, number } from "./theme.ts";

/** Plots without a legend are SVG elements; none here has one. */
export function draw(options: PlotOptions): SVGSVGElement {
  return plot({ ...options, style: { background: "none", color: "inherit" } }) as SVGSVGElement;
}

/** Enough for a reader to see that an axis is logarithmic. */
const fewestTicks = 4;

/** Round numbers for a logarithmic axis of so many pixels: at least four wherever their labels have room beside each other. */
export function logTicks(low: number, high: number, pixels: number, axis: "x" | "y" = "x"): number[] {
  const position = (tick: number) => (Math.log(tick / low) / Math.log(high / low)) * pixels;
  const room = (tick: number) => (axis === "x" ? 6.6 * number(tick).length + 9 : 15);
  const far = (one: number, other: number) => position(other) - position(one) >= (room(one) + room(other)) / 2;
  const fits = (ticks: readonly number[]) => ticks.every((tick, i) => i === 0 || far(ticks[i - 1] ?? tick, tick));
  const inside = (ticks: number[]) => ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
  const powers = (steps: readonly number[], every: number, first = 0) => {
    const ticks: number[] = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
      if ((((power - first) % every) + every) % every !== 0) continue;
      for (const step of steps) ticks.push(Number(`${step}e${power}`));
    }
    return inside(ticks);
  };
  const even = (step: number) => inside(Array.from({ length: Math.floor(high / step) - Math.ceil(low / step) + 1 }, (_, i) => Number(((Math.ceil(low / step) + i) * step).toPrecision(12))));
  const size = Math.floor(Math.log10(high - low));
  const candidates = [
    powers([1, 2, 5], 1), powers([1, 3], 1), powers([1], 1), powers([1], 2), powers([1], 2, 1), powers([1], 3), powers([1], 4),
    // A narrow range holds few of these, so it gets finer ones.
    powers([1, 2, 3, 5, 7], 1), ...[size, size - 1].flatMap((exponent) => [5, 2, 1].map((step) => even(Number(`${step}e${exponent}`)))),
  ].filter(fits);
  const enough = candidates.find((ticks) => ticks.length >= fewestTicks);
  if (enough) return enough;
  const thinned = powers([1, 2, 5], 1).reduce<number[]>((kept, tick) => (kept.length === 0 || far(kept.at(-1) ?? tick, tick) ? [...kept, tick] : kept), []);
  return [...candidates, thinned].reduce((most, ticks) => (ticks.length > most.length ? ticks : most), []);
}

/** A logarithmic domain around values, never empty. */
export function logDomain(values: Iterable<number>, slack = 1.08): [number, number] {
  let low = Infinity;
  let high = 0;
  for (const value of values) {
    if (!(value > 0) || !Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low > high) return [0.1, 10];
  return high / low < 1.3 ? [low / 2, high * 2] : [low / slack, high * slack];
}

// With a format function, a logarithmic axis drops labels such as 5 and 50 unless it is told to have room for any number of them.
const anyNumber = { ticks: Number.POSITIVE_INFINITY, tickFormat: number, tickSize: 4 };

export const logAxisX = (ticks: number[], label: string): Markish[] => [axisX(ticks, { ...anyNumber, label: null }), xLabel(label)];

export const logAxisY = (ticks: number[]): Markish[] => [gridY(ticks, grid), axisY(ticks, { ...anyNumber, label: null })];

const grid = { stroke: line, strokeOpacity: 1 };

export const horizontalGrid = (ticks?: number[]): Markish => (ticks ? gridY(ticks, grid) : gridY(grid));

export const verticalGrid = (ticks: number[]): Markish => gridX(ticks, grid);

/** The label of the horizontal axis, below its middle, without the arrow that Plot would add. */
export const xLabel = (label: string): Markish => axisX([], { label, labelAnchor: "center", labelArrow: "none", labelOffset: 38 });

/** What the vertical axis means, above it at its left. */
export const yLabel = (label: string): Markish => axisY([], { label, labelAnchor: "top", labelArrow: "none" });

/** How wide a text of the charts is, in pixels: enough for every letter of their font on average. */
export const textWidth = (text: string): number => 6.8 * text.length;

/** Ticks for a number of clients: those that were used, thinned until their labels fit. */
export function countTicks(values: readonly number[], position: (value: number) => number, gap = 34): number[] {
  const ticks: number[] = [];
  for (const value of [...values].sort((a, b) => b - a)) {
    const last = ticks.at(-1);
    if (last === undefined || position(last) - position(value) >= gap) ticks.push(value);
  }
  return ticks.reverse();
}

/** Moves labels apart: positions in pixels, at least `gap` between neighbours, inside 0 .. height; of equal ones the last goes on top. */
export function spread(positions: readonly number[], gap: number, height: number): number[] {
  const order = positions.map((_, index) => index).sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0) || b - a);
  const placed = [...positions];
  let floor = -Infinity;
  for (const index of order) floor = (placed[index] = Math.max(placed[index] ?? 0, floor)) + gap;
  let ceiling = height;
  for (const index of order.reverse()) ceiling = (placed[index] = Math.min(placed[index] ?? 0, ceiling)) - gap;
  return placed;
}
