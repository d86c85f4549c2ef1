import { axisX, axisY, dot, line as lineMark, pointerX, ruleX, text, tip, type Markish } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import { draw, horizontalGrid, logAxisY, logDomain, logTicks, spread, xLabel, yLabel } from "../plot.ts";
import { colour, line, milliseconds, number, surface } from "../theme.ts";

const height = 270;
const margin = { top: 26, bottom: 46, left: 44, right: 64 };
/** More starts of runs than this would cover the chart. */
const mostRuns = 60;

const horizontal = (width: number, runStarts: readonly number[], label = "seconds of traffic, one run after the other"): Markish[] => [
  ...(runStarts.length > 1 && runStarts.length <= mostRuns ? [ruleX(runStarts.slice(1), { stroke: line, strokeDasharray: "2 3" })] : []),
  axisX({ ticks: Math.max(3, Math.floor(width / 90)), tickSize: 4, tickFormat: number, label: null }), xLabel(label),
];

/** Median and 99 % quantile of the latency in each part of the log. */
export const latencyTime: Draw = ({ report, width }) => {
  const time = report.log?.overTime;
  if (!time) return undefined;
  const rows = time.exchanges.flatMap((count, i) => {
    const [median, p99] = [time.medianMilliseconds[i] ?? null, time.p99Milliseconds[i] ?? null];
    return median === null || p99 === null || median <= 0 ? [] : [{ second: (i + 0.5) * time.binSeconds, median, p99, count }];
  });
  if (rows.length === 0) return undefined;
  const domain = logDomain(rows.flatMap(({ median, p99 }) => [median, p99]), 1.15);
  const inner = height - margin.top - margin.bottom;
  const last = rows.at(-1);
  const pixel = (value: number) => (Math.log(domain[1] / value) / Math.log(domain[1] / domain[0])) * inner;
  const series = [{ key: "median", name: "median" }, { key: "p99", name: "99 %" }] as const;
  const places = spread(series.map(({ key }) => pixel(last?.[key] ?? domain[0])), 15, inner);
  return draw({
    width, height, marginTop: margin.top, marginRight: margin.right, marginBottom: margin.bottom, marginLeft: margin.left,
    x: { domain: [0, time.binSeconds * time.exchanges.length] }, y: { type: "log", domain },
    marks: [
      ...logAxisY(logTicks(...domain, inner, "y")), yLabel("latency, ms (log)"), ...horizontal(width, time.runStartSeconds),
      ...series.map(({ key }, i) => lineMark(rows, { x: "second", y: key, stroke: colour(i), strokeWidth: 1.8, strokeDasharray: i === 0 ? "none" : "6 3" })),
      ...series.map(({ name }, i) => text([name], { frameAnchor: "top-right", dx: 6, dy: places[i] ?? 0, textAnchor: "start", lineAnchor: "middle", text: (words: string) => words, fill: colour(i), fontWeight: 600 })),
      tip(rows, pointerX({
        x: "second", y: "median",
        title: ({ second, median, p99, count }) => `${number(second)} s\nmedian ${milliseconds(median)}\n99 % below ${milliseconds(p99)}\n${count.toLocaleString("en-US")} exchanges`,
      })),
    ],
  });
};

/** Exchanges per second in each part of the log, and where some failed. */
export const rateTime: Draw = ({ report, width }) => {
  const time = report.log?.overTime;
  if (!time || time.exchanges.length === 0) return undefined;
  const rows = time.exchanges.map((count, i) => ({ second: (i + 0.5) * time.binSeconds, rate: count / time.binSeconds, errors: time.errors[i] ?? 0 }));
  const top = Math.max(...rows.map(({ rate }) => rate)) * 1.08 || 1;
  return draw({
    width, height, marginTop: margin.top, marginRight: 18, marginBottom: margin.bottom, marginLeft: margin.left,
    x: { domain: [0, time.binSeconds * time.exchanges.length] }, y: { domain: [0, top] },
    marks: [
      horizontalGrid(), axisY({ ticks: 5, tickFormat: number, tickSize: 0, label: null }), yLabel("exchanges per second"), ...horizontal(width, time.runStartSeconds),
      lineMark(rows, { x: "second", y: "rate", stroke: colour(0), strokeWidth: 1.8 }),
      dot(rows.filter(({ errors }) => errors > 0), { x: "second", y: "rate", symbol: "triangle", r: 4, fill: colour(1), stroke: surface, strokeWidth: 0.8, className: "errors" }),
      tip(rows, pointerX({ x: "second", y: "rate", title: ({ second, rate, errors }) => `${number(second)} s\n${number(rate)} exchanges per second\n${number(errors)} failed` })),
    ],
  });
};
