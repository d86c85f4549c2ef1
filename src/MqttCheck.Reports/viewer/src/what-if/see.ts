import { areaY, axisX, axisY, barX, dot, line, pointerX, pointerY, ruleX, ruleY, tip, type Markish } from "@observablehq/plot";
import { evidence } from "../charts/evidence.ts";
import { probability } from "../charts/probability.ts";
import { draw, horizontalGrid, logAxisX, logDomain, logTicks, verticalGrid, xLabel } from "../plot.ts";
import type { Prediction, Report, Verdict } from "../report.ts";
import { accent, colour, milliseconds, number, probability as probabilityText, range, soft } from "../theme.ts";
import type { Answer, Curve, Sensitivity } from "./api.ts";
import { element, figure, make, table } from "./dom.ts";

const empty: Report = { log: null, learning: null, predictions: [], verdicts: [] };
const choice = { setup: 0, threshold: NaN };
const percent = (share: number): string => `${number(100 * share)} %`;

/** The report's chart of the probability against the number of clients. */
export function drawCurve(curve: Curve, answer: Answer): void {
  const scenario = answer.scenarios[curve.scenario];
  if (!scenario) return;
  const predictions: Prediction[] = curve.points.map(({ clients, probability: p, lower, upper }) => ({
    profile: scenario.profile, clients, confidence: scenario.level, bandHalfWidth: 0, sortedWorstMilliseconds: [],
    points: [{ profile: scenario.profile, clients, thresholdMilliseconds: curve.thresholdMilliseconds, probability: p, interval: { lower, upper } }],
  }));
  const data = {
    profile: scenario.profile, thresholds: String(curve.thresholdMilliseconds),
    ...(curve.trainedUpToClients === null ? { trained: "0" } : { trained: String(curve.trainedUpToClients) }),
  };
  figure(element("curve"), "curve-figure", "Probability by the number of clients",
    `All messages of a sequence within ${milliseconds(curve.thresholdMilliseconds)}, with the ${percent(scenario.level)} interval. Shaded: more than training covered.`,
    (width) => probability({ report: { ...empty, predictions }, data, width, choice, own: new Map() }),
    ["clients", "probability", `${percent(scenario.level)} interval`, "simulations"],
    curve.points.map((point) => [number(point.clients), probabilityText(point.probability), range(point.lower, point.upper), number(point.replications)]));
}

/** The probability against the threshold. */
function thresholds(places: Answer["scenarios"][number]["thresholds"], asked: number, width: number): SVGSVGElement | undefined {
  if (places.length < 2) return undefined;
  const domain = logDomain([...places.map(({ milliseconds: at }) => at), asked]);
  const marginLeft = 38;
  return draw({
    width, height: 300, marginLeft, marginRight: 20, marginTop: 12, marginBottom: 46,
    x: { type: "log", domain },
    y: { domain: [0, 1] },
    marks: [
      horizontalGrid([0, 0.2, 0.4, 0.6, 0.8, 1]), axisY({ ticks: 6, tickFormat: ".1f", tickSize: 0, label: null }),
      ...logAxisX(logTicks(...domain, width - marginLeft - 20), "in time means within, ms (log)"),
      areaY(places, { x: "milliseconds", y1: "lower", y2: "upper", fill: colour(0), fillOpacity: 0.16 }),
      line(places, { x: "milliseconds", y: "probability", stroke: colour(0), strokeWidth: 2 }),
      ruleX([asked], { stroke: accent, strokeDasharray: "5 4", strokeWidth: 1.5 }),
      tip(places, pointerX({ x: "milliseconds", y: "probability", title: ({ milliseconds: at, probability: p, lower, upper }: (typeof places)[number]) => `${probabilityText(p)} within ${milliseconds(at)}\n${range(lower, upper)}` })),
    ],
  });
}

/** The probability against the threshold, and quantiles of the worst latency of a sequence. */
export function showQuantiles(answer: Answer, edited: number): void {
  const scenario = answer.scenarios[edited];
  if (!scenario) return;
  figure(element("thresholds"), "threshold-figure", "Probability by the threshold",
    `How many sequences have every answer in time, with the ${percent(scenario.level)} interval. Dashed: the threshold that is asked for.`,
    (width) => thresholds(scenario.thresholds, answer.thresholdMilliseconds, width),
    ["within", "probability", `${percent(scenario.level)} interval`],
    scenario.thresholds.map((place) => [milliseconds(place.milliseconds), probabilityText(place.probability), range(place.lower, place.upper)]));
  element("quantiles").replaceChildren(make("div", { class: "card" },
    make("h3", {}, "Slowest answer of a sequence"),
    table("Quantiles of the slowest answer of a sequence", ["share of the sequences", "within"],
      scenario.quantiles.map(({ share, milliseconds: value }) => [percent(share), value === null ? "never" : milliseconds(value)]))));
}

interface Bar {
  name: string;
  value: number;
  lower: number;
  upper: number;
}

/** Horizontal bars or dots with intervals; the names stand in the table and above each bar, so they never are cut. */
function intervals(bars: readonly Bar[], width: number, kind: "bar" | "dot", label: string, domain: [number, number]): SVGSVGElement | undefined {
  if (bars.length === 0) return undefined;
  const marks: Markish[] = [verticalGrid([]), ruleX([0], { stroke: soft })];
  const y = { y: "name" } as const;
  if (kind === "bar") marks.push(barX(bars as Bar[], { ...y, x1: 0, x2: "value", fill: colour(0), insetTop: 4, insetBottom: 4 }));
  marks.push(ruleY(bars as Bar[], { ...y, x1: "lower", x2: "upper", stroke: kind === "bar" ? "var(--ink)" : colour(0), strokeWidth: 2 }));
  if (kind === "dot") marks.push(dot(bars as Bar[], { ...y, x: "value", fill: colour(0), r: 5 }));
  marks.push(tip(bars as Bar[], pointerY({ ...y, x: "value", title: ({ name, value, lower, upper }) => `${name}\n${value.toFixed(3)} (${range(lower, upper)})` })));
  marks.push(axisX({ tickSize: 4, ticks: Math.max(2, Math.floor(width / 110)), tickFormat: (value: number) => number(value), label: null }), xLabel(label));
  marks.push(axisY({ tickSize: 0, label: null, lineWidth: 10, textOverflow: "ellipsis" }));
  return draw({ width, height: 62 + 34 * bars.length, marginLeft: 132, marginRight: 26, marginTop: 8, marginBottom: 44, x: { domain }, y: { type: "band", domain: bars.map(({ name }) => name) }, marks });
}

const signed = (value: number): string => `${value > 0 ? "+" : ""}${value.toFixed(3)}`;

export function showComparison(answer: Answer): void {
  const place = element("comparison");
  if (answer.scenarios.length < 2) {
    place.replaceChildren(make("p", { class: "missing" }, "There is one scenario so far."));
    return;
  }
  const names = answer.scenarios.map((_, index) => letter(index));
  if (!document.getElementById("comparison-figure")) place.replaceChildren();
  const bars = answer.scenarios.map((one, index) => ({ name: names[index] ?? "", value: one.probability, lower: one.lower, upper: one.upper }));
  figure(place, "comparison-figure", "Scenarios side by side", `Probability that all messages of a sequence are within ${milliseconds(answer.thresholdMilliseconds)}, with intervals.`,
    (width) => intervals(bars, width, "dot", "probability", [0, 1]),
    ["scenario", "profile", "model", "clients", "probability", "interval", "minus A", "interval of the difference", "which is better"],
    answer.scenarios.map((one, index) => {
      const other = answer.differences.find(({ scenario }) => scenario === index);
      return [names[index] ?? "", one.profile, one.model, number(one.clients), probabilityText(one.probability), range(one.lower, one.upper),
        other ? signed(other.difference) : "", other ? `${signed(other.lower)} to ${signed(other.upper)}` : "",
        other ? other.words.replace("second", names[index] ?? "") : ""];
    }));
  let words = document.getElementById("difference");
  if (!words) place.append((words = make("p", { id: "difference" })));
  words.textContent = answer.differences.map(({ scenario, difference, lower, upper, words: said }) =>
    `${names[scenario]} minus A: ${signed(difference)} (${signed(lower)} to ${signed(upper)}), ${said.replace("second", names[scenario] ?? "")}.`).join(" ");
}

export const letter = (index: number): string => "ABCD"[index] ?? "";

export function showChanges(changes: readonly Sensitivity[]): void {
  const place = element("changes");
  const known = changes.flatMap(({ change, difference, lower, upper }) => difference === null ? [] : [{ name: change, value: difference, lower: lower ?? difference, upper: upper ?? difference }])
    .sort((a, b) => b.value - a.value);
  const reach = Math.max(0.01, ...known.flatMap(({ lower, upper }) => [-lower, upper]));
  // The chart names the bars by their order, the table by their words: long names would be cut.
  const ordered = known.map((bar, index) => ({ ...bar, name: `${index + 1}.` }));
  figure(place, "changes-figure", "What each change adds to the probability", "The longest bar to the right helps most. Lines are intervals of the simulation.",
    (width) => intervals(ordered, width, "bar", "change of the probability", [-reach, reach]),
    ["change", "difference", "interval of the simulation", "remark"],
    [...known.map(({ name, value, lower, upper }, index) => [`${index + 1}. ${name}`, signed(value), `${signed(lower)} to ${signed(upper)}`, changes.find(({ change }) => change === name)?.reason ?? ""]),
      ...changes.filter(({ difference }) => difference === null).map(({ change, reason }) => [change, "", "", reason])]);
  const details = place.querySelector("details");
  if (details) details.open = true;
}

/** The live path of the sequential test, with the report's chart. */
export function showPath(verdicts: readonly Verdict[]): void {
  const report: Report = { ...empty, verdicts: [...verdicts] };
  const paths = verdicts[0]?.paths ?? [];
  figure(element("live"), "live-figure", "Path of the test", "The verdict falls where a line leaves the band between its bounds.",
    (width) => evidence({ report, data: { index: "0" }, width, choice, own: new Map() }),
    ["side", "sequences", "evidence", "bounds"],
    paths.map((path) => [path.name, number(path.samples.at(-1) ?? 0), number(path.logRatios.at(-1) ?? NaN), `${number(path.lowerBound ?? NaN)} to ${number(path.upperBound ?? NaN)}`]));
}
