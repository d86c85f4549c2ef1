import { axisX, axisY, pointer, ruleY, tip, type Markish } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import { draw, horizontalGrid, logAxisX, logDomain, logTicks, xLabel, yLabel } from "../plot.ts";
import { jitter, points } from "../points.ts";
import type { Kind } from "../report.ts";
import { ink, kindColour, kindSymbol, number, soft } from "../theme.ts";

/** Normal score of each held-out exchange against the model's median for it or against a feature of the reader's choice. */
export const residuals: Draw = ({ report, width, own }) => {
  const sample = report.learning?.calibration?.residuals;
  if (!sample) return undefined;
  const feature = own.get("feature") ? sample.features[Number(own.get("feature"))] : undefined;
  const values = feature?.values ?? sample.predictedMilliseconds;
  const whole = values.every((value) => value === null || Number.isInteger(value));
  const only = own.get("kind") ?? "";
  const data = sample.scores.flatMap((y, i) => {
    const value = values[i] ?? null;
    const kind = sample.kinds[i] ?? "publish";
    if (y === null || value === null || (!feature && value <= 0) || (only !== "" && only !== kind)) return [];
    return [{ x: feature && whole ? value + jitter(i) : value, y, kind }];
  });
  if (data.length === 0) return undefined;
  const reach = Math.max(3.2, ...data.map(({ y }) => Math.abs(y))) * 1.04;
  const marginLeft = 34;
  const marks: Markish[] = [horizontalGrid(), axisY({ ticks: 7, tickSize: 0, label: null }), yLabel("normal score")];
  const xs = data.map(({ x }) => x);
  const logarithmic = logDomain(xs);
  if (feature) {
    const tickFormat = (t: number) => (whole && !Number.isInteger(t) ? "" : number(t));
    marks.push(axisX({ ticks: Math.max(3, Math.floor(width / 90)), tickSize: 4, tickFormat, label: null }), xLabel(feature.feature));
  } else {
    marks.push(...logAxisX(logTicks(...logarithmic, width - marginLeft - 16), "median of the model, ms (log)"));
  }
  for (const kind of new Set<Kind>(data.map((point) => point.kind))) marks.push(points(data.filter((point) => point.kind === kind), kindColour(kind), kindSymbol(kind), 2, 0.6));
  marks.push(ruleY([0], { stroke: ink, strokeWidth: 1 }), ruleY([-2, 2], { stroke: soft, strokeDasharray: "2 3", strokeWidth: 1.4 }));
  marks.push(tip(data, pointer({
    x: "x", y: "y", title: ({ x, y, kind }) => `${kind}\nnormal score ${y.toFixed(2)}\n${feature?.feature ?? "median of the model, ms"} ${number(feature && whole ? Math.round(x) : x)}`,
  })));
  const low = Math.min(...xs);
  const high = Math.max(...xs);
  return draw({
    width, height: 290, marginLeft, marginRight: 16, marginTop: 26, marginBottom: 46,
    x: feature ? { domain: high > low ? [low, high] : [low - 1, high + 1] } : { type: "log", domain: logarithmic }, y: { domain: [-reach, reach] },
    marks,
  });
};
