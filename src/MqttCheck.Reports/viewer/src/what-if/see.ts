import { milliseconds, number, probability as probabilityText, range } from "../theme.ts";
import type { Answer, Curve, Sensitivities, Tested } from "./api.ts";
import { element, figure, make, table } from "./dom.ts";

const percent = (share: number): string => `${number(100 * share)} %`;

/** The report's chart of the probability against the number of clients. */
export function drawCurve(curve: Curve, answer: Answer): void {
  const scenario = answer.scenarios[curve.scenario];
  if (!scenario) return;
  figure(element("curve"), "curve-figure", "Probability by the number of clients",
    `All messages of a sequence within ${milliseconds(curve.thresholdMilliseconds)}, with the ${percent(scenario.level)} interval. Shaded: more than training covered.`,
    curve.chart,
    ["clients", "probability", `${percent(scenario.level)} interval`, "simulations"],
    curve.points.map((point) => [number(point.clients), probabilityText(point.probability), range(point.lower, point.upper), number(point.replications)]));
}

/** The probability against the threshold, and quantiles of the worst latency of a sequence. */
export function showQuantiles(answer: Answer, edited: number): void {
  const scenario = answer.scenarios[edited];
  if (!scenario) return;
  figure(element("thresholds"), "threshold-figure", "Probability by the threshold",
    `How many sequences have every answer in time, with the ${percent(scenario.level)} interval. Dashed: the threshold that is asked for.`,
    answer.thresholdCharts[edited] ?? null,
    ["within", "probability", `${percent(scenario.level)} interval`],
    scenario.thresholds.map((place) => [milliseconds(place.milliseconds), probabilityText(place.probability), range(place.lower, place.upper)]));
  element("quantiles").replaceChildren(make("div", { class: "card" },
    make("h3", {}, "Slowest answer of a sequence"),
    table("Quantiles of the slowest answer of a sequence", ["share of the sequences", "within"],
      scenario.quantiles.map(({ share, milliseconds: value }) => [percent(share), value === null ? "never" : milliseconds(value)]))));
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
  figure(place, "comparison-figure", "Scenarios side by side", `Probability that all messages of a sequence are within ${milliseconds(answer.thresholdMilliseconds)}, with intervals.`,
    answer.comparison,
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

const signedRange = (lower: number | null, upper: number | null): string => (lower === null || upper === null ? "" : `${signed(lower)} to ${signed(upper)}`);

export function showChanges({ changes, chart, level }: Sensitivities): void {
  const place = element("changes");
  figure(place, "changes-figure", "What each change adds to the probability",
    `What surely helps has a place; places are shared where intervals overlap. Lines are intervals with the model's error. With ${percent(level)} all of them hold at once.`,
    chart,
    ["change", "place", "difference", "interval", "in the model"],
    changes.map((one) => [one.change, one.place === null ? "–" : `${one.place}.`, one.difference === null ? "" : signed(one.difference), signedRange(one.lower, one.upper), signedRange(one.inModelLower, one.inModelUpper)]));
  let sure = document.getElementById("sure");
  if (!sure) place.append((sure = make("ul", { id: "sure", "aria-label": "How sure it is that a change helps" })));
  sure.replaceChildren(...changes.map((one) => make("li", {}, make("strong", {}, `${one.place === null ? "" : `${one.place}. `}${one.change}`), `: ${one.words}`)));
}

/** The live path of the sequential test, with the report's chart. */
export function showPath({ verdicts, chart }: Tested): void {
  const paths = verdicts[0]?.paths ?? [];
  figure(element("live"), "live-figure", "Path of the test", "The verdict falls where a line leaves the band between its bounds.",
    chart,
    ["side", "sequences", "evidence", "bounds"],
    paths.map((path) => [path.name, number(path.samples.at(-1) ?? 0), number(path.logRatios.at(-1) ?? NaN), `${number(path.lowerBound ?? NaN)} to ${number(path.upperBound ?? NaN)}`]));
}
