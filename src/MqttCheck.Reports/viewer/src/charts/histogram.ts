import { rect, ruleX, ruleY, text } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import { draw, logAxisX, logTicks } from "../plot.ts";
import { ink, kindColour, line, number, soft } from "../theme.ts";

/** Latency by kind of message: a row for each kind, scaled to its own peak. */
export const histogram: Draw = ({ report, width }) => {
  const log = report.log;
  const edges = log?.binEdgesMilliseconds ?? [];
  const kinds = (log?.kinds ?? []).filter(({ medianMilliseconds }) => medianMilliseconds !== null);
  if (edges.length < 2 || kinds.length === 0) return undefined;
  const bars = kinds.flatMap(({ kind, binCounts }) => {
    const peak = Math.max(...binCounts, 1);
    return binCounts.flatMap((count, i) => (count === 0 ? [] : [{ kind, from: edges[i] ?? 0, to: edges[i + 1] ?? 0, height: count / peak, count }]));
  });
  const domain: [number, number] = [edges[0] ?? 1, edges.at(-1) ?? 10];
  const marginLeft = 92;
  return draw({
    width, height: kinds.length * 62 + 52, marginLeft, marginRight: 16, marginTop: 4, marginBottom: 46,
    x: { type: "log", domain },
    y: { domain: [0, 1.12], axis: null },
    fy: { domain: kinds.map(({ kind }) => kind), axis: null, padding: 0.14 },
    marks: [
      ...logAxisX(logTicks(...domain, width - marginLeft - 16), "latency, ms (log)"),
      ruleY([0], { stroke: line }),
      rect(bars, {
        fy: "kind", x1: "from", x2: "to", y1: 0, y2: "height", fill: ({ kind }) => kindColour(kind), insetLeft: 0.5, insetRight: 0.5,
        title: ({ kind, from, to, count }) => `${kind}, ${number(from)} to ${number(to)} ms\n${count.toLocaleString("en-US")} exchanges`, tip: true,
      }),
      ruleX(kinds, { fy: "kind", x: "medianMilliseconds", stroke: ink, strokeWidth: 1.5, y1: 0, y2: 1.12 }),
      ruleX(kinds, { fy: "kind", x: "p99Milliseconds", stroke: ink, strokeWidth: 1.5, strokeDasharray: "3 3", y1: 0, y2: 1.12 }),
      text(kinds, { fy: "kind", frameAnchor: "left", dx: -marginLeft, dy: -4, text: "kind", textAnchor: "start", fill: ink, fontWeight: 600 }),
      text(kinds, { fy: "kind", frameAnchor: "left", dx: -marginLeft, dy: 11, text: ({ count }) => count.toLocaleString("en-US"), textAnchor: "start", fill: soft, fontSize: 11 }),
    ],
  });
};
