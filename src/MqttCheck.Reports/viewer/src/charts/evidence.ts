import { axisX, axisY, dot, line as lineMark, pointer, rect, ruleY, text, tip, type Markish } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import { draw, horizontalGrid, spread, xLabel, yLabel } from "../plot.ts";
import { colour, number, soft, surface, symbol } from "../theme.ts";

const margin = { bottom: 46, left: 40 };
/** Lines of a label in the margin, and the room of the axis's name above them. */
const lineHeight = 15;
const nameHeight = 24;
const plotHeight = 198;

/** A text in lines of so many letters at most; a single word may be longer. */
function wrapped(words: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** How the evidence of a verdict grew, between the bounds of its tests. */
export const evidence: Draw = ({ report, data, width }) => {
  const verdict = report.verdicts[Number(data["index"])];
  const paths = (verdict?.paths ?? []).map((path, index) => ({
    ...path,
    index,
    steps: path.samples.flatMap((samples, i) => {
      const value = path.logRatios[i];
      return value === null || value === undefined ? [] : [{ samples, value }];
    }),
  })).filter(({ steps }) => steps.length > 1);
  if (paths.length === 0) return undefined;

  const uppers = [...new Set(paths.flatMap(({ upperBound }) => (upperBound === null ? [] : [upperBound])))];
  const lowers = [...new Set(paths.flatMap(({ lowerBound }) => (lowerBound === null ? [] : [lowerBound])))];
  const values = paths.flatMap(({ steps }) => steps.map(({ value }) => value));
  const end = Math.max(...paths.map(({ steps }) => steps.at(-1)?.samples ?? 0), 1);
  const top = Math.max(0, ...values, ...uppers);
  const bottom = Math.min(0, ...values, ...lowers);
  const slack = (top - bottom || 1) * 0.09;
  const domain: [number, number] = [bottom - slack, top + slack];
  const innerHeight = plotHeight;
  const pixel = (value: number) => ((domain[1] - value) / (domain[1] - domain[0])) * innerHeight;

  const marks: Markish[] = [horizontalGrid(), axisY({ ticks: 6, tickSize: 0, label: null }), yLabel("evidence (log likelihood ratio)")];
  // Areas of decision, where all paths share a bound.
  if (uppers.length === 1) marks.push(rect([0], { x1: 0, x2: end, y1: uppers[0] ?? 0, y2: domain[1], fill: "var(--good)", fillOpacity: 0.12 }));
  if (lowers.length === 1) marks.push(rect([0], { x1: 0, x2: end, y1: domain[0], y2: lowers[0] ?? 0, fill: "var(--bad)", fillOpacity: 0.12 }));
  marks.push(ruleY(uppers, { stroke: "var(--good)", strokeWidth: 1.6 }), ruleY(lowers, { stroke: "var(--bad)", strokeWidth: 1.6 }), ruleY([0], { stroke: soft, strokeWidth: 0.6 }));

  for (const path of paths) {
    marks.push(lineMark(path.steps, {
      x: "samples", y: "value", stroke: colour(path.index), strokeWidth: 1.8, strokeDasharray: path.index === 0 ? "none" : "6 3", curve: "step-after", strokeLinejoin: "round",
    }));
    marks.push(dot(path.steps.slice(-1), { x: "samples", y: "value", symbol: symbol(path.index), r: 4, fill: colour(path.index), stroke: surface, strokeWidth: 1.2 }));
  }
  const unique = (parts: string[]) => [...new Set(parts.filter((part) => part !== ""))].join(" · ");
  const above = (bound: number) => unique(paths.filter(({ upperBound }) => upperBound === bound).map(({ upperMeaning }) => upperMeaning));
  const below = (bound: number) => unique(paths.filter(({ lowerBound }) => lowerBound === bound).map(({ lowerMeaning }) => lowerMeaning));
  // A label on a bound would sooner or later lie on a path: the margin above the plot never holds one.
  const letters = Math.floor((width - margin.left - 8) / 6.6);
  const labels = [
    ...uppers.map((bound) => ({ fill: "var(--good)", text: `upper bound: ${above(bound)}` })),
    ...lowers.map((bound) => ({ fill: "var(--bad)", text: `lower bound: ${below(bound)}` })),
  ].flatMap(({ fill, text: words }) => wrapped(words, letters).map((row) => ({ fill, row })));
  const top0 = nameHeight + labels.length * lineHeight + 6;
  labels.forEach(({ fill, row }, i) => marks.push(text([row], {
    frameAnchor: "top-left", dx: 2, dy: nameHeight + i * lineHeight - top0, text: (words: string) => words, textAnchor: "start", lineAnchor: "top", fill, fontWeight: 600,
  })));
  if (paths.length > 1) {
    const places = spread(paths.map(({ steps }) => pixel(steps.at(-1)?.value ?? 0)), 15, innerHeight);
    paths.forEach((path, i) => marks.push(text([path], {
      x: () => path.steps.at(-1)?.samples ?? 0, frameAnchor: "top", dx: 10, dy: places[i] ?? 0, textAnchor: "start", lineAnchor: "middle",
      text: () => path.name, fill: colour(path.index), fontWeight: 600,
    })));
  }
  marks.push(axisX({ tickSize: 4, ticks: Math.max(3, Math.floor(width / 80)), tickFormat: number, label: null }), xLabel("sequences, in the order they began"));
  marks.push(tip(paths.flatMap(({ name, steps }) => steps.map((step) => ({ ...step, name }))), pointer({
    x: "samples", y: "value", title: ({ name, samples, value }) => `${name}\nafter ${number(samples)} sequences\nevidence ${number(value)}`,
  })));
  return draw({
    width, height: plotHeight + top0 + margin.bottom, marginTop: top0, marginRight: paths.length > 1 ? 80 : 18, marginBottom: margin.bottom, marginLeft: margin.left,
    x: { domain: [0, end] }, y: { domain }, marks,
  });
};
