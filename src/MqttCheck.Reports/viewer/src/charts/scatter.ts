import { axisX, pointer, tip, type Markish } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import { draw, logAxisY, logDomain, logTicks, xLabel, yLabel } from "../plot.ts";
import { jitter, points } from "../points.ts";
import { kindColour, kindSymbol, milliseconds, number } from "../theme.ts";

/** Latency of a sample of the log against a column of the reader's choice. */
export const scatter: Draw = ({ report, width, own }) => {
  const sample = report.log?.scatter;
  if (!sample) return undefined;
  const column = Number(own.get("column") ?? 0);
  const kind = own.get("kind") ?? "";
  const groups = sample.groups.filter((group) => kind === "" || group.kind === kind).map((group) => ({
    kind: group.kind,
    points: group.latencyMilliseconds.flatMap((y, i) => (y > 0 ? [{ x: (group.values[column]?.[i] ?? 0) + jitter(i), y, kind: group.kind }] : [])),
  }));
  const all = groups.flatMap((group) => group.points);
  if (all.length === 0) return undefined;
  const domain = logDomain(all.map(({ y }) => y));
  const height = 310;
  const low = Math.min(...all.map(({ x }) => x));
  const high = Math.max(...all.map(({ x }) => x));
  const marks: Markish[] = [...logAxisY(logTicks(...domain, height - 72, "y")), yLabel("latency, ms (log)")];
  for (const group of groups) marks.push(points(group.points, kindColour(group.kind), kindSymbol(group.kind), 2, 0.6));
  const whole = (t: number) => (Number.isInteger(t) ? number(t) : "");
  marks.push(axisX({ ticks: Math.max(3, Math.floor(width / 90)), tickSize: 4, tickFormat: whole, label: null }), xLabel(sample.columns[column] ?? ""));
  marks.push(tip(all, pointer({
    x: "x", y: "y", title: ({ x, y, kind: of }) => `${of}\n${milliseconds(y)}\n${sample.columns[column] ?? ""} ${number(Math.round(x))}`,
  })));
  return draw({
    width, height, marginLeft: 44, marginRight: 14, marginTop: 26, marginBottom: 46,
    x: { domain: [Math.floor(low), Math.ceil(high)], nice: false }, y: { type: "log", domain }, marks,
  });
};
