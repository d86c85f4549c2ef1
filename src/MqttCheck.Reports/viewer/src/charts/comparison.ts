import { axisX, dot, ruleY, text, tip, pointerY, rectX } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import type { Point } from "../report.ts";
import { draw, textWidth, verticalGrid } from "../plot.ts";
import { accent, ink, milliseconds, number, probability, range, soft, surface, verdictColour, verdictSymbol } from "../theme.ts";

export const samePoint = (one: Point, other: Point): boolean =>
  one.profile === other.profile && one.clients === other.clients && one.thresholdMilliseconds === other.thresholdMilliseconds;

/** Predicted and measured probability of each verified point, one row each. */
export const comparison: Draw = ({ report, width }) => {
  const rows = report.verdicts.map((verdict, index) => ({
    verdict, index, point: verdict.point, before: report.previousVerdicts?.find(({ point }) => samePoint(point, verdict.point))?.measuredProbability ?? undefined,
  }));
  if (rows.length === 0) return undefined;
  type Row = (typeof rows)[number];
  const label = ({ point }: Row) =>
    `${point.profile}, ${number(point.clients)} ${point.clients === 1 ? "client" : "clients"}, ${milliseconds(point.thresholdMilliseconds)}`;
  // Names stand beside the rows where they have room, and above them elsewhere: they are never cut.
  const beside = Math.max(...rows.map((row) => textWidth(label(row)))) + 24;
  const narrow = width < 560 || beside > width * 0.4;
  const rowHeight = narrow ? 46 : 30;
  const low = Math.min(...rows.flatMap(({ verdict, point, before }) =>
    [point.interval.lower, verdict.countsAsPredicted?.lower ?? 1, verdict.measuredInterval?.lower ?? 1, verdict.measuredProbability ?? 1,
      ...(verdict.runCounts ?? []).map(({ successes, samples }) => successes / samples), before ?? 1]));
  const from = Math.max(0, Math.floor((low - 0.01) * 20) / 20);
  const ticks = Array.from({ length: 21 }, (_, i) => i / 20).filter((t) => t >= from && (1 - from <= 0.55 || Math.round(t * 20) % 4 === 0));
  const measured = rows.filter(({ verdict }) => verdict.measuredProbability !== null);
  const runs = rows.flatMap((row) => (row.verdict.runCounts ?? []).map(({ successes, samples }) => ({ ...row, share: successes / samples })))
    .filter(({ share }) => share >= from);
  const before = rows.filter(({ before: share }) => share !== undefined && share >= from);
  return draw({
    width,
    height: rows.length * rowHeight + 44,
    marginLeft: narrow ? 12 : beside,
    marginRight: 16,
    marginTop: 6,
    marginBottom: 38,
    x: { domain: [from, 1] },
    y: { domain: rows.map(({ index }) => index), type: "band", padding: narrow ? 0.3 : 0.25, axis: null },
    marks: [
      verticalGrid(ticks),
      axisX(ticks, {
        tickFormat: (t: number) => t.toFixed(2).replace(/0$/, ""), tickSize: 4,
        label: "probability that all messages are in time", labelAnchor: "center", labelArrow: "none", labelOffset: 34,
      }),
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
      // A dot for each run.
      dot(runs, { x: "share", y: "index", dy: narrow ? 18 : 12, r: 2.4, fill: ({ verdict }) => verdictColour(verdict.kind), fillOpacity: 0.7, className: "runs" }),
      dot(before, {
        x: "before", y: "index", dy: narrow ? 11 : 6, symbol: "times", r: 4.5, stroke: soft, strokeWidth: 2, className: "before",
      }),
      dot(measured, {
        x: ({ verdict }) => verdict.measuredProbability ?? NaN, y: "index", dy: narrow ? 11 : 6, r: 4, symbol: ({ verdict }: Row) => verdictSymbol(verdict.kind), fill: surface,
        stroke: ({ verdict }) => verdictColour(verdict.kind), strokeWidth: 2,
      }),
      text(rows, narrow
        ? { frameAnchor: "left", y: "index", dy: -13, text: label, textAnchor: "start", fill: soft }
        : { frameAnchor: "left", y: "index", dx: -12, text: label, textAnchor: "end", fill: ink }),
      tip(rows, pointerY({
        x: ({ verdict, point }) => verdict.measuredProbability ?? point.probability, y: "index",
        title: ({ verdict, point, ...row }: Row) => label({ verdict, point, ...row })
          + `\npredicted ${probability(point.probability)} (${range(point.interval.lower, point.interval.upper)})`
          + (verdict.measuredProbability === null ? "" : `\nmeasured ${probability(verdict.measuredProbability)}`)
          + (verdict.measuredInterval ? ` (${range(verdict.measuredInterval.lower, verdict.measuredInterval.upper)})` : "")
          + (verdict.runCounts?.length ? `\n${verdict.runCounts.length} runs: ${verdict.runCounts.map(({ successes, samples }) => (successes / samples).toFixed(2)).join(" ")}` : "")
          + (row.before === undefined ? "" : `\nthe run before: ${probability(row.before)}`),
      })),
    ],
  });
};
