import type { Maybe } from "../chart.ts";
import { number } from "../theme.ts";
import type { Progress, Tested } from "./api.ts";
import { element, make, table } from "./dom.ts";
import { showPath } from "./see.ts";

/** The looks at the test so far, one for each run. */
let looks: string[][] = [];

/** Makes room for work on the live broker: how far it is, its looks, and the command's own lines behind a summary. */
export function beginLooks(place: HTMLElement): void {
  looks = [];
  const details = make("details", {}, make("summary", {}, "What the command would print"), make("ol", { class: "fine", id: "lines" }));
  place.replaceChildren(
    make("p", { id: "progress", tabindex: "-1", role: "status" }),
    make("progress", { id: "done", max: "1", value: "0", "aria-label": "Share of the whole work" }),
    make("div", { id: "looks" }), details);
}

const range = (interval: { lower: Maybe; upper: Maybe } | null): string => (interval ? `${number(interval.lower ?? NaN)} to ${number(interval.upper ?? NaN)}` : "–");

function look({ verdicts }: Tested): void {
  const [verdict] = verdicts;
  if (!verdict || looks.at(-1)?.[0] === String(verdict.runs)) return;
  looks.push([String(verdict.runs), number(verdict.samples), number(verdict.measuredProbability ?? NaN), range(verdict.measuredInterval)]);
  element("progress").textContent = `Run ${number(verdict.runs)}: ${number(verdict.measuredProbability ?? NaN)} of ${number(verdict.samples)} sequences in time (${range(verdict.measuredInterval)}), ${number(verdict.point.probability)} predicted.`;
  element("looks").replaceChildren(table("Looks of the test", ["run", "sequences", "in time", "interval"], looks));
}

/** Shows how far the work is. Its share never falls. */
export function showLines(progress: Progress): void {
  const { share, activity, lines } = progress;
  for (const line of lines) if (line.trim() !== "") element("lines").append(make("li", {}, line));
  const bar = element<HTMLProgressElement>("done");
  if (typeof share === "number") bar.value = Math.max(bar.value, share);
  if (activity !== "") element("progress").textContent = activity;
  if (progress.verdicts.length === 0) return;
  look(progress);
  showPath(progress);
}
