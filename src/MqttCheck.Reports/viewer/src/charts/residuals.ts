import { axisY, ruleY } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import { draw, horizontalGrid, logAxisX, logDomain, logTicks, yLabel } from "../plot.ts";
import { points } from "../points.ts";
import { colour, ink, soft } from "../theme.ts";

/** Normal score of each held-out exchange against the model's median for it. */
export const residuals: Draw = ({ report, width }) => {
  const sample = report.learning?.calibration?.residuals;
  const data = (sample?.scores ?? []).flatMap((y, i) => {
    const x = sample?.predictedMilliseconds[i] ?? 0;
    return y !== null && x > 0 ? [{ x, y }] : [];
  });
  if (data.length === 0) return undefined;
  const domain = logDomain(data.map(({ x }) => x));
  const reach = Math.max(3.2, ...data.map(({ y }) => Math.abs(y))) * 1.04;
  const marginLeft = 34;
  return draw({
    width, height: 290, marginLeft, marginRight: 16, marginTop: 26, marginBottom: 46,
    x: { type: "log", domain }, y: { domain: [-reach, reach] },
    marks: [
      horizontalGrid(), axisY({ ticks: 7, tickSize: 0, label: null }), yLabel("normal score"), ...logAxisX(logTicks(...domain, width - marginLeft - 16), "median of the model, ms (log)"),
      points(data, colour(0), 2.8, 0.6),
      ruleY([0], { stroke: ink, strokeWidth: 1 }),
      ruleY([-2, 2], { stroke: soft, strokeDasharray: "2 3", strokeWidth: 1.4 }),
    ],
  });
};
