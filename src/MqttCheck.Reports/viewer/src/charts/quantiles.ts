import { areaY, dot, line as lineMark, pointer, tip } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import { draw, logAxisX, logAxisY, logDomain, logTicks, yLabel } from "../plot.ts";
import { colour, ink, milliseconds, number, soft, surface } from "../theme.ts";

/** Observed against predicted quantiles of held-out latencies, of one kind or of all. */
export const quantiles: Draw = ({ report, data, width }) => {
  const calibration = report.learning?.calibration;
  const kind = data["kind"];
  const shown = kind === undefined ? calibration?.quantiles : calibration?.quantilesByKind.find((one) => one.kind === kind)?.quantiles;
  const pairs = (shown ?? []).flatMap((pair) => {
    const { probability, predictedMilliseconds: x, observedMilliseconds: y, lowerMilliseconds: lower, upperMilliseconds: upper } = pair;
    if (x === null || y === null || lower === null || upper === null || x <= 0 || y <= 0 || lower <= 0) return [];
    return [{ probability, x, y, lower, upper, inside: lower <= y && y <= upper }];
  });
  if (pairs.length === 0) return undefined;
  const domain = logDomain(pairs.flatMap(({ x, y }) => [x, y]), 1.15);
  const height = 290;
  const marginLeft = 44;
  return draw({
    width, height, marginLeft, marginRight: 16, marginTop: 26, marginBottom: 46,
    x: { type: "log", domain }, y: { type: "log", domain },
    marks: [
      ...logAxisY(logTicks(...domain, height - 72, "y")), yLabel("observed, ms (log)"),
      ...logAxisX(logTicks(...domain, width - marginLeft - 16), "predicted, ms (log)"),
      areaY(pairs, { x: "x", y1: (d) => Math.max(d.lower, domain[0]), y2: (d) => Math.min(d.upper, domain[1]), fill: soft, fillOpacity: 0.25 }),
      lineMark([domain[0], domain[1]], { x: (d) => d, y: (d) => d, stroke: ink, strokeWidth: 1 }),
      dot(pairs.filter(({ inside }) => inside), { x: "x", y: "y", r: 2.8, fill: colour(0) }),
      dot(pairs.filter(({ inside }) => !inside), { x: "x", y: "y", r: 3.4, symbol: "triangle", fill: colour(1), stroke: surface, strokeWidth: 0.6 }),
      tip(pairs, pointer({
        x: "x", y: "y",
        title: ({ probability, x, y, lower, upper }) =>
          `${number(probability * 100)} % quantile\npredicted ${milliseconds(x)}\nobserved ${milliseconds(y)}\nenvelope ${number(lower)} to ${milliseconds(upper)}`,
      })),
    ],
  });
};
