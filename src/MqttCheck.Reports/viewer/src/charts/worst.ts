import { areaY, axisY, dot, line as lineMark, pointerX, ruleX, ruleY, text, tip } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import { shareBelow } from "../distribution.ts";
import { draw, horizontalGrid, logAxisX, logDomain, logTicks, textWidth, yLabel } from "../plot.ts";
import { accent, colour, milliseconds, probability, surface } from "../theme.ts";

/** Distribution of the slowest message of a sequence, with its band and the chosen threshold. */
export const worst: Draw = ({ report, width, choice }) => {
  const prediction = report.predictions[choice.setup];
  const sorted = prediction?.sortedWorstMilliseconds ?? [];
  if (!prediction || sorted.length === 0) return undefined;
  // One scale for all setups: what moves when the reader changes the setup is the curve.
  const all = report.predictions.flatMap(({ sortedWorstMilliseconds: values }) => [values[0] ?? NaN, values.findLast((value) => value !== null) ?? NaN]);
  const domain = logDomain([...all, choice.threshold]);
  const half = prediction.bandHalfWidth;
  const finite = sorted.filter((value): value is number => value !== null);
  const steps = [
    { t: domain[0], p: 0 },
    ...finite.map((t, i) => ({ t: Math.max(t, domain[0]), p: (i + 1) / sorted.length })),
    { t: domain[1], p: finite.length / sorted.length },
  ];
  const p = shareBelow(sorted, choice.threshold);
  const marginLeft = 38;
  const ticks = logTicks(...domain, width - marginLeft - 20);
  // The threshold is named above the plot, where no curve is, and stays inside the drawing.
  const at = (Math.log(choice.threshold / domain[0]) / Math.log(domain[1] / domain[0])) * (width - marginLeft - 20);
  const half0 = textWidth(milliseconds(choice.threshold)) / 2;
  const aside = Math.max(half0 - at, 0) - Math.max(at + half0 - (width - marginLeft), 0);
  return draw({
    width, height: 346, marginLeft, marginRight: 20, marginTop: 42, marginBottom: 46,
    x: { type: "log", domain },
    y: { domain: [0, 1] },
    marks: [
      horizontalGrid([0, 0.2, 0.4, 0.6, 0.8, 1]), axisY({ ticks: 6, tickFormat: ".1f", tickSize: 0, label: null }), yLabel("share of sequences"),
      ...logAxisX(ticks, "slowest message of a sequence, ms (log)"),
      areaY(steps, { x: "t", y1: (d) => Math.max(d.p - half, 0), y2: (d) => Math.min(d.p + half, 1), curve: "step-after", fill: colour(0), fillOpacity: 0.16 }),
      lineMark(steps, { x: "t", y: "p", curve: "step-after", stroke: colour(0), strokeWidth: 2 }),
      ruleX([choice.threshold], { stroke: accent, strokeDasharray: "5 4", strokeWidth: 1.5 }),
      ruleY([p], { x1: domain[0], x2: choice.threshold, stroke: accent, strokeDasharray: "5 4", strokeWidth: 1.5 }),
      dot([choice.threshold], { x: (t) => t, y: p, r: 4.5, fill: accent, stroke: surface, strokeWidth: 1.5 }),
      text([choice.threshold], { x: (t) => t, frameAnchor: "top", lineAnchor: "bottom", dy: -7, dx: aside, text: milliseconds, fill: accent, fontWeight: 600 }),
      tip(steps, pointerX({ x: "t", y: "p", title: ({ t, p: share }) => `${probability(share)} of the sequences\nwithin ${milliseconds(t)}` })),
    ],
  });
};
