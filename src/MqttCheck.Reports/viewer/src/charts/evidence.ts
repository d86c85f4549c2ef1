import { axisX, axisY, dot, line as lineMark, rect, ruleY, text, type Markish } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import { draw, horizontalGrid, spread, xLabel, yLabel } from "../plot.ts";
import { colour, number, soft, surface, symbol } from "../theme.ts";

const height = 270;
const margin = { top: 26, bottom: 46, left: 40 };

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
  const innerHeight = height - margin.top - margin.bottom;
  const pixel = (value: number) => ((domain[1] - value) / (domain[1] - domain[0])) * innerHeight;

  const marks: Markish[] = [horizontalGrid(), axisY({ ticks: 6, tickSize: 0, label: null }), yLabel("evidence (log likelihood ratio)")];
  // Areas of decision, where all paths share a bound.
  if (uppers.length === 1) marks.push(rect([0], { x1: 0, x2: end, y1: uppers[0] ?? 0, y2: domain[1], fill: "var(--good)", fillOpacity: 0.12 }));
  if (lowers.length === 1) marks.push(rect([0], { x1: 0, x2: end, y1: domain[0], y2: lowers[0] ?? 0, fill: "var(--bad)", fillOpacity: 0.12 }));
  marks.push(ruleY(uppers, { stroke: "var(--good)", strokeWidth: 1.6 }), ruleY(lowers, { stroke: "var(--bad)", strokeWidth: 1.6 }), ruleY([0], { stroke: soft, strokeWidth: 0.6 }));

  for (const path of paths) {
    marks.push(lineMark(path.steps, {
      x: "samples", y: "value", stroke: colour(path.index), strokeWidth: 1.8, curve: "step-after", strokeLinejoin: "round",
    }));
    marks.push(dot(path.steps.slice(-1), { x: "samples", y: "value", symbol: symbol(path.index), r: 4, fill: colour(path.index), stroke: surface, strokeWidth: 1.2 }));
  }
  const unique = (parts: string[]) => [...new Set(parts.filter((part) => part !== ""))].join(" · ");
  const bounds = [
    ...uppers.map((bound) => ({ bound, fill: "var(--good)", dy: -7, text: unique(paths.filter(({ upperBound }) => upperBound === bound).map(({ upperMeaning }) => upperMeaning)) })),
    ...lowers.map((bound) => ({ bound, fill: "var(--bad)", dy: 9, text: unique(paths.filter(({ lowerBound }) => lowerBound === bound).map(({ lowerMeaning }) => lowerMeaning)) })),
  ];
  for (const { bound, fill, dy, text: meaning } of bounds)
    marks.push(text([bound], { x: 0, y: bound, dx: 6, dy, text: () => meaning, textAnchor: "start", fill, fontWeight: 600, stroke: surface, strokeWidth: 3 }));
  if (paths.length > 1) {
    const places = spread(paths.map(({ steps }) => pixel(steps.at(-1)?.value ?? 0)), 15, innerHeight);
    paths.forEach((path, i) => marks.push(text([path], {
      x: () => path.steps.at(-1)?.samples ?? 0, frameAnchor: "top", dx: 10, dy: places[i] ?? 0, textAnchor: "start", lineAnchor: "middle", text: () => path.name, fill: colour(path.index), fontWeight: 600,
    })));
  }
  marks.push(axisX({ tickSize: 4, ticks: Math.max(3, Math.floor(width / 80)), tickFormat: number, label: null }), xLabel("sequences, in the order they began"));
  return draw({
    width, height, marginTop: margin.top, marginRight: paths.length > 1 ? 80 : 18, marginBottom: margin.bottom, marginLeft: margin.left,
    x: { domain: [0, end] }, y: { domain }, marks,
  });
};
