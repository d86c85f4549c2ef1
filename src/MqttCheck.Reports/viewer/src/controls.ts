import type { Choice } from "./chart.ts";
import { inTime, thresholdSteps } from "./distribution.ts";
import type { Report } from "./report.ts";
import { milliseconds, probability, range } from "./theme.ts";

/** The choice that a page opens with: the first verified point, else the middle of the first prediction that has a distribution. */
export function initialChoice(report: Report): Choice {
  const drawable = report.predictions.findIndex(({ sortedWorstMilliseconds: sorted }) => sorted.length > 0);
  const verified = report.verdicts[0]?.point;
  const match = verified && report.predictions.findIndex(({ profile, clients, sortedWorstMilliseconds: sorted }) =>
    profile === verified.profile && clients === verified.clients && sorted.length > 0);
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
  const box = document.getElementById("threshold-number");
  const answer = document.getElementById("answer");
  if (!panel || !(slider instanceof HTMLInputElement) || !(setup instanceof HTMLSelectElement) || !(box instanceof HTMLInputElement) || !answer || choice.setup < 0) return;

  const points = [...report.predictions.flatMap((prediction) => prediction.points), ...report.verdicts.map(({ point }) => point)];
  const named = points.map(({ thresholdMilliseconds }) => thresholdMilliseconds);
  const steps = thresholdSteps(report.predictions, Number.isFinite(choice.threshold) ? [...named, choice.threshold] : named);
  slider.max = String(steps.length - 1);
  slider.value = String(Math.max(steps.indexOf(choice.threshold), 0));
  setup.value = String(choice.setup);

  const show = () => {
    choice.setup = Number(setup.value);
    const prediction = report.predictions[choice.setup];
    const estimate = prediction && inTime(prediction, choice.threshold);
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
  const nearest = (threshold: number) =>
    steps.reduce((best, step, i) => (Math.abs(Math.log(step / threshold)) < Math.abs(Math.log((steps[best] ?? step) / threshold)) ? i : best), 0);
  slider.addEventListener("input", () => {
    choice.threshold = steps[Number(slider.value)] ?? NaN;
    box.value = String(choice.threshold);
    update();
  });
  // Any threshold may be typed; the slider stands where it is nearest to it.
  box.addEventListener("input", () => {
    const asked = box.valueAsNumber;
    if (!(asked > 0)) return;
    choice.threshold = asked;
    slider.value = String(nearest(asked));
    update();
  });
  setup.addEventListener("input", update);
  choice.threshold = steps[Number(slider.value)] ?? NaN;
  box.value = Number.isFinite(choice.threshold) ? String(choice.threshold) : "";
  show();
  panel.hidden = false;
}
