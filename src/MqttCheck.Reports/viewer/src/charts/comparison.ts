import { axisX, dot, ruleY, text, tip, pointerY, rectX } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import { draw, verticalGrid } from "../plot.ts";
import { accent, ink, milliseconds, number, probability, range, soft, surface, verdictColour } from "../theme.ts";

/** Predicted and measured probability of each verified point, one row each. */
export const comparison: Draw = ({ report, width }) => {
  const rows = report.verdicts.map((verdict, index) => ({ verdict, index, point: verdict.point }));
  if (rows.length === 0) return undefined;
  const narrow = width < 560;
  const rowHeight = narrow ? 46 : 30;
  const low = Math.min(...rows.flatMap(({ verdict, point }) =>
    [point.interval.lower, verdict.countsAsPredicted?.lower ?? 1, verdict.measuredInterval?.lower ?? 1, verdict.measuredProbability ?? 1]));
  const from = Math.max(0, Math.floor((low - 0.01) * 20) / 20);
  const ticks = Array.from({ length: 21 }, (_, i) => i / 20).filter((t) => t >= from && (1 - from <= 0.55 || Math.round(t * 20) % 4 === 0));
  const label = (row: (typeof rows)[number]) =>
    `${row.point.profile}, ${number(row.point.clients)} ${row.point.clients === 1 ? "client" : "clients"}, ${milliseconds(row.point.thresholdMilliseconds)}`;
  const measured = rows.filter(({ verdict }) => verdict.measuredProbability !== null);
  return draw({
    width,
    height: rows.length * rowHeight + 44,
    marginLeft: narrow ? 12 : 190,
    marginRight: 16,
    marginTop: 6,
    marginBottom: 38,
    x: { domain: [from, 1] },
    y: { domain: rows.map(({ index }) => index), type: "band", padding: narrow ? 0.3 : 0.25, axis: null },
    marks: [
      verticalGrid(ticks),
      axisX(ticks, { tickFormat: (t: number) => t.toFixed(2).replace(/0$/, ""), tickSize: 4, label: "probability that all messages are in time", labelAnchor: "center", labelArrow: "none", labelOffset: 34 }),
      rectX(rows.filter(({ verdict }) => verdict.countsAsPredicted), {
        x1: ({ verdict }) => Math.max(from, verdict.countsAsPredicted?.lower ?? from), x2: ({ verdict }) => verdict.countsAsPredicted?.upper ?? 1,
        y: "index", fill: accent, fillOpacity: 0.13, rx: 3, insetTop: narrow ? 14 : 0,
      }),
      rectX(rows, {
        x1: ({ point }) => Math.max(from, point.interval.lower), x2: ({ point }) => point.interval.upper, y: "index", fill: accent, fillOpacity: 0.75,
        insetTop: narrow ? 19 : 6, insetBottom: narrow ? 7 : 11.5, rx: 2,
      }),
      dot(rows, { x: ({ point }) => point.probability, y: "index", dy: narrow ? 4 : -3.5, symbol: "diamond", r: 4.5, fill: surface, stroke: accent, strokeWidth: 1.8 }),
      ruleY(measured.filter(({ verdict }) => verdict.measuredInterval), {
        x1: ({ verdict }) => Math.max(from, verdict.measuredInterval?.lower ?? 0), x2: ({ verdict }) => verdict.measuredInterval?.upper ?? 1, y: "index",
        dy: narrow ? 11 : 6, stroke: ({ verdict }) => verdictColour(verdict.kind), strokeWidth: 1.8,
      }),
      dot(measured, {
        x: ({ verdict }) => verdict.measuredProbability ?? NaN, y: "index", dy: narrow ? 11 : 6, r: 4, fill: surface,
        stroke: ({ verdict }) => verdictColour(verdict.kind), strokeWidth: 2,
      }),
      text(rows, narrow
        ? { frameAnchor: "left", y: "index", dy: -13, text: label, textAnchor: "start", fill: soft }
        : { frameAnchor: "left", y: "index", dx: -12, text: label, textAnchor: "end", fill: ink }),
      tip(rows, pointerY({
        x: ({ verdict, point }) => verdict.measuredProbability ?? point.probability, y: "index",
        title: ({ verdict, point, ...row }) => `${label({ verdict, point, ...row })}\npredicted ${probability(point.probability)} (${range(point.interval.lower, point.interval.upper)})`
          + (verdict.measuredProbability === null ? "" : `\nmeasured ${probability(verdict.measuredProbability)}`)
          + (verdict.measuredInterval ? ` (${range(verdict.measuredInterval.lower, verdict.measuredInterval.upper)})` : ""),
      })),
    ],
  });
};
