import { isShown, numbers, type Axis, type Chart, type EndName, type Tick, type View } from "./chart.ts";
import { inTime } from "./distribution.ts";
import { textWidth } from "./svg.ts";
import { milliseconds } from "./theme.ts";

/** Where a chart's values stand, in pixels. */
export interface Layout {
  axis: Axis;
  width: number;
  left: number;
  right: number;
  top: number;
  /** Where the data end below. */
  bottom: number;
  /** Whether names of rows stand above the rows, because they have no room beside them. */
  isAbove: boolean;
  x: (value: number) => number;
  y: (value: number) => number;
  ticks: Tick[];
  ends: EndName[];
}

const fewest = 4;
const lineHeight = 15;
const rowName = 17;

/** The first list of ticks whose names have room beside each other and that shows what kind of axis it is, else one with gaps. */
function choose(axis: Axis, position: (value: number) => number): Tick[] {
  const fit = (one: Tick, other: Tick) => position(other.at ?? 0) - position(one.at ?? 0) >= (textWidth(one.text) + textWidth(other.text)) / 2 + 9;
  const thinned = (ticks: Tick[]) => ticks.reduceRight<Tick[]>((kept, tick) => (kept[0] === undefined || fit(tick, kept[0]) ? [tick, ...kept] : kept), []);
  const thin = axis.ticks.map(thinned);
  return thin.find((ticks, i) => ticks.length >= fewest && ticks.length === axis.ticks[i]?.length)
    ?? thin.reduce<Tick[]>((most, ticks) => (ticks.length > most.length ? ticks : most), []);
}

const share = ({ scale: { low = 0, high = 0, isLogarithmic } }: Axis, value: number): number =>
  isLogarithmic ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);

const widest = (texts: readonly string[], weight?: number): number => Math.max(0, ...texts.map((text) => textWidth(text, weight)));

/** The curves of chosen thresholds have names like all others. */
const levels = (chart: Chart, view: View): EndName[] => chart.marks
  .filter((mark) => mark.shape === "level" && isShown(view, mark.when) && Number.isFinite(view.threshold) && !numbers(view, mark.except).includes(view.threshold))
  .map(({ role, of = [] }) => {
    const last = of.at(-1);
    return { text: milliseconds(view.threshold), ...(role === undefined ? {} : { role }), y: (last && inTime(view, last, view.threshold)?.p) ?? 0 };
  });

/** Lays a chart out for a width: the lines of text above the data are counted by the caller. */
export function lay(chart: Chart, view: View, width: number, lines: number): Layout {
  const axis = chart.x.find(({ when }) => isShown(view, when)) ?? (chart.x[0] as Axis);
  const ends = [...chart.endNames, ...levels(chart, view)];
  const names = [...(chart.y.names ?? []), ...(chart.y.details ?? [])];
  const beside = widest(names) + 16;
  const isAbove = beside > 0.4 * width;
  const left = names.length > 0 ? (isAbove ? 12 : beside) : Math.max(14, widest((chart.y.ticks[0] ?? []).map(({ text }) => text)) + 14);
  const right = Math.max(20, ends.length > 0 ? widest(ends.map(({ text }) => text), 600) + 12 : 0);
  const rows = chart.y.names?.length ?? 0;
  const extra = isAbove ? rowName : 0;
  const top = lines * lineHeight + (lines > 0 ? 10 : 6);
  const bottom = top + chart.height + rows * extra;
  const x = (value: number) => left + share(axis, value) * (width - left - right);
  const y = (value: number) => {
    if (rows === 0) return bottom - share(chart.y, value) * chart.height;
    const row = Math.min(rows - 1, Math.max(0, Math.round(-value)));
    const height = chart.height / rows;
    return top + row * (height + extra) + extra + (0.5 - (value + row)) * height;
  };
  return { axis, width, left, right, top, bottom, isAbove, x, y, ticks: choose(axis, x), ends };
}

/** Moves labels apart: positions in pixels, at least `gap` between neighbours, inside from .. to; of equal ones the last goes on top. */
export function spread(positions: readonly number[], gap: number, from: number, to: number): number[] {
  const order = positions.map((_, index) => index).sort((a, b) => (positions[a] ?? 0) - (positions[b] ?? 0) || b - a);
  const placed = [...positions];
  let floor = from;
  for (const index of order) floor = (placed[index] = Math.max(placed[index] ?? 0, floor)) + gap;
  let ceiling = to;
  for (const index of order.reverse()) ceiling = (placed[index] = Math.min(placed[index] ?? 0, ceiling)) - gap;
  return placed;
}
