import type { Choice } from "./chart.ts";
import { inTime, thresholdSteps } from "./distribution.ts";
import type { Report } from "./report.ts";
import { milliseconds, probability, range } from "./theme.ts";

/** The choice that a page opens with: the first verified point, else the middle of the first prediction that has a distribution. */
export function initialChoice(report: Report): Choice {
  const drawable = report.predictions.findIndex(({ sortedWorstMilliseconds: sorted }) => sorted.length > 0);
  const verified = report.verdicts[0]?.point;
  const match = verified && report.predictions.findIndex(({ profile, clients, sortedWorstMilliseconds: sorted }) => profile === verified.profile && clients === verified.clients && sorted.length > 0);
  const setup = match !== undefined && match >= 0 ? match : drawable;
  const prediction = report.predictions[setup];
  const points = prediction?.points ?? [];
  const threshold = verified?.thresholdMilliseconds ?? points[points.length >> 1]?.thresholdMilliseconds
    ?? prediction?.sortedWorstMilliseconds[(prediction.sortedWorstMilliseconds.length * 9) / 10 | 0] ?? NaN;
  return { setup, threshold };
}

/** Brings the slider and the list of setups to life; absent where nothing has a distribution. */
export function connectControls(report: Report, choice: Choice, changed: () => void): void {
  const panel = document.getElementById("controls");
  const slider = document.getElementById("threshold");
  const setup = document.getElementById("setup");
  const value = document.getElementById("threshold-value");
  const answer = document.getElementById("answer");
  if (!panel || !(slider instanceof HTMLInputElement) || !(setup instanceof HTMLSelectElement) || !value || !answer || choice.setup < 0) return;

  const named = [...report.predictions.flatMap(({ points }) => points), ...report.verdicts.map(({ point }) => point)].map(({ thresholdMilliseconds }) => thresholdMilliseconds);
  const steps = thresholdSteps(report.predictions, Number.isFinite(choice.threshold) ? [...named, choice.threshold] : named);
  slider.max = String(steps.length - 1);
  slider.value = String(Math.max(steps.indexOf(choice.threshold), 0));
  setup.value = String(choice.setup);

  const show = () => {
    choice.threshold = steps[Number(slider.value)] ?? NaN;
    choice.setup = Number(setup.value);
    const prediction = report.predictions[choice.setup];
    const estimate = prediction && inTime(prediction, choice.threshold);
    value.textContent = milliseconds(choice.threshold);
    slider.setAttribute("aria-valuetext", milliseconds(choice.threshold));
    if (!estimate) return;
    const strong = document.createElement("strong");
    strong.textContent = probability(estimate.p);
    answer.replaceChildren(strong, range(estimate.lower, estimate.upper));
    answer.dataset["probability"] = String(estimate.p);
  };
  const update = () => {
    show();
    changed();
  };
  slider.addEventListener("input", update);
  setup.addEventListener("input", update);
  show();
  panel.hidden = false;
}
