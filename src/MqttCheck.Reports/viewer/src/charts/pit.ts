import { axisX, axisY, rect, ruleY } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import { draw, horizontalGrid, xLabel, yLabel } from "../plot.ts";
import { accent, colour, ink } from "../theme.ts";

/** How often observed latencies fall into each equally likely part of the model's distribution. */
export const pit: Draw = ({ report, width }) => {
  const counts = report.learning?.calibration?.pitCounts ?? [];
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const bins = counts.length;
  const bars = counts.map((count, i) => ({ from: i / bins, to: (i + 1) / bins, ratio: (count * bins) / total, count }));
  // 95 % of a binomial count, as a multiple of what is expected.
  const half = 1.96 * Math.sqrt((bins - 1) / total);
  const top = Math.max(1.5, 1 + half, ...bars.map(({ ratio }) => ratio)) * 1.05;
  return draw({
    width, height: 290, marginLeft: 34, marginRight: 14, marginTop: 26, marginBottom: 46,
    x: { domain: [0, 1] }, y: { domain: [0, top] },
    marks: [
      horizontalGrid(), axisY({ ticks: 5, tickSize: 0, label: null }), yLabel("relative to expected"),
      axisX([0, 0.25, 0.5, 0.75, 1], { tickFormat: (p: number) => `${p * 100} %`, tickSize: 4, label: null }), xLabel("quantile of the model"),
      rect(bars, {
        x1: "from", x2: "to", y1: 0, y2: "ratio", fill: colour(0), fillOpacity: 0.85, insetLeft: 0.5, insetRight: 0.5, tip: true,
        title: ({ from, to, ratio, count }) => `${Math.round(from * 100)} to ${Math.round(to * 100)} % quantile\n${count.toLocaleString("en-US")} exchanges, ${ratio.toFixed(2)} of expected`,
      }),
      rect([0], { x1: 0, x2: 1, y1: Math.max(0, 1 - half), y2: 1 + half, fill: accent, fillOpacity: 0.22 }),
      ruleY([1], { stroke: accent, strokeWidth: 1.5 }),
      ruleY([0], { stroke: ink, strokeWidth: 0.8 }),
    ],
  });
};
