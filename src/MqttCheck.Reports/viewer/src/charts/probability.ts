import { areaY, axisX, axisY, dot, line as lineMark, pointer, rect, ruleX, text, tip, type Markish } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import { inTime } from "../distribution.ts";
import { countTicks, draw, horizontalGrid, logTicks, spread, textWidth, xLabel, yLabel } from "../plot.ts";
import { accent, colour, milliseconds, number, probability as probabilityText, range, surface, symbol } from "../theme.ts";

const height = 330;
const sides = { top: 26, bottom: 46, left: 38 };

/** Probability that all messages are in time against the number of clients: a line for each threshold, and one for the threshold of the slider. */
export const probability: Draw = ({ report, data, width, choice }) => {
  const setups = report.predictions.filter(({ profile }) => profile === data["profile"]).sort((a, b) => a.clients - b.clients);
  const named = (data["thresholds"] ?? "").split(" ").filter((part) => part !== "").map(Number);
  const free = Number.isFinite(choice.threshold) && !named.includes(choice.threshold);
  const thresholds = free ? [...named, choice.threshold] : named;
  const series = thresholds.map((threshold, index) => ({
    index,
    threshold,
    free: index >= named.length,
    points: setups.flatMap((setup) => {
      const estimate = inTime(setup, threshold);
      return estimate ? [{ clients: setup.clients, threshold, ...estimate }] : [];
    }),
  })).filter(({ points }) => points.length > 0);
  if (series.length === 0) return undefined;

  const measured = report.verdicts.filter(({ point, measuredProbability }) =>
    point.profile === data["profile"] && measuredProbability !== null && named.includes(point.thresholdMilliseconds));
  const counts = [...new Set([...setups.map(({ clients }) => clients), ...measured.map(({ point }) => point.clients)])].sort((a, b) => a - b);
  const least = counts[0] ?? 1;
  const most = counts.at(-1) ?? 1;
  const logarithmic = most / least > 30;
  const domain: [number, number] = least === most ? [least * 0.5, most * 1.5] : [least, most];
  const margin = { ...sides, right: Math.max(66, 12 + Math.max(...series.map(({ threshold }) => textWidth(milliseconds(threshold))))) };
  const inner = width - margin.left - margin.right - 24;
  const scaled = (value: number) => (logarithmic ? Math.log(value) : value);
  const position = (value: number) => ((scaled(value) - scaled(domain[0])) / (scaled(domain[1]) - scaled(domain[0]))) * inner;
  // Measurements of several thresholds at one number of clients stand side by side.
  const shift = (threshold: number) => (named.indexOf(threshold) - (named.length - 1) / 2) * 7;
  const ends = series.map(({ points }) => points.at(-1)?.p ?? 0);
  const innerHeight = height - margin.top - margin.bottom;
  const labels = spread(ends.map((p) => (1 - p) * innerHeight), 15, innerHeight);
  const stroke = ({ free: isFree, index }: (typeof series)[number]) => (isFree ? accent : colour(index));

  const marks: Markish[] = [horizontalGrid([0, 0.2, 0.4, 0.6, 0.8, 1]), axisY({ ticks: 6, tickFormat: ".1f", tickSize: 0, label: null }), yLabel("probability")];
  // Beyond what training covered a model extrapolates.
  const trained = Number(data["trained"] ?? NaN);
  if (trained < domain[1]) {
    const from = Math.max(trained, domain[0]);
    marks.push(
      rect([0], { x1: from, x2: domain[1], y1: 0, y2: 1, fill: "var(--warn)", fillOpacity: 0.12, insetRight: -12 }),
      text([0], { frameAnchor: "top-right", lineAnchor: "bottom", dy: -7, text: () => "shaded: extrapolated", textAnchor: "end", fill: "var(--warn)" }),
    );
  }
  for (const one of series) {
    if (!one.free) {
      marks.push(areaY(one.points, { x: "clients", y1: "lower", y2: "upper", fill: stroke(one), fillOpacity: 0.14 }));
      // An area over a single number of clients has no width.
      if (one.points.length === 1)
        marks.push(ruleX(one.points, {
          x: "clients", y1: "lower", y2: "upper", stroke: stroke(one), strokeWidth: 10, strokeOpacity: 0.2, dx: shift(one.threshold),
        }));
    }
    const marker = { symbol: one.free ? "circle" : symbol(one.index) } as const;
    if (one.points.length > 1 && !one.free) marks.push(dot(one.points, { x: "clients", y: "p", ...marker, r: 3.2, fill: stroke(one) }));
    marks.push(one.points.length > 1
      ? lineMark(one.points, { x: "clients", y: "p", stroke: stroke(one), strokeWidth: 2, ...(one.free ? { strokeDasharray: "5 4" } : {}) })
      : dot(one.points, { x: "clients", y: "p", ...marker, fill: stroke(one), r: 3, dx: one.free ? 0 : shift(one.threshold) }));
  }
  named.forEach((threshold, index) => {
    const here = measured.filter(({ point }) => point.thresholdMilliseconds === threshold);
    const dx = shift(threshold);
    marks.push(
      ruleX(here.filter(({ measuredInterval }) => measuredInterval), {
        x: ({ point }) => point.clients, y1: ({ measuredInterval }) => measuredInterval?.lower ?? 0, y2: ({ measuredInterval }) => measuredInterval?.upper ?? 1,
        stroke: colour(index), strokeWidth: 1.8, dx,
      }),
      dot(here, { x: ({ point }) => point.clients, y: "measuredProbability", symbol: symbol(index), r: 4.5, stroke: colour(index), strokeWidth: 2, fill: surface, dx }),
    );
  });
  const usedTicks = countTicks(counts, position);
  marks.push(
    axisX(usedTicks.length < 4 && logarithmic ? logTicks(...domain, inner) : usedTicks, { tickFormat: number, tickSize: 4, ticks: Number.POSITIVE_INFINITY, label: null }),
    xLabel("clients"),
    ...series.map((one, i) => text([one], {
      frameAnchor: "top-right", dx: 6, dy: labels[i] ?? 0,
      lineAnchor: "middle", textAnchor: "start", text: () => milliseconds(one.threshold), fill: stroke(one), fontWeight: 600,
    })),
    tip(series.flatMap(({ points }) => points), pointer({
      x: "clients", y: "p",
      title: ({ clients, threshold, p, lower, upper }) => {
        const verdict = measured.find(({ point }) => point.clients === clients && point.thresholdMilliseconds === threshold);
        const said = `${number(clients)} clients, ${milliseconds(threshold)}\npredicted ${probabilityText(p)} (${range(lower, upper)})`;
        return verdict ? `${said}\nmeasured ${probabilityText(verdict.measuredProbability ?? NaN)}` : said;
      },
    })),
  );
  return draw({
    width, height, marginTop: margin.top, marginRight: margin.right, marginBottom: margin.bottom, marginLeft: margin.left,
    x: { type: logarithmic ? "log" : "linear", domain, insetLeft: 12, insetRight: 12 },
    y: { domain: [0, 1] },
    marks,
  });
};
