import { numbers, type PageCharts, type View } from "./chart.ts";
import { inTime, thresholdSteps } from "./distribution.ts";
import { milliseconds, probability, range } from "./theme.ts";

/** What the reader has chosen above the charts. */
export interface Choice {
  /** The place of the prediction whose distribution is shown. */
  setup: number;
  threshold: number;
}

/** Brings the slider and the list of setups to life; absent where nothing has a distribution. */
export function connectControls(page: Omit<PageCharts, "columns"> & Pick<View, "columns">, choice: Choice, changed: () => void): void {
  const panel = document.getElementById("controls");
  const slider = document.getElementById("threshold");
  const setup = document.getElementById("setup");
  const box = document.getElementById("threshold-number");
  const answer = document.getElementById("answer");
  if (!panel || !(slider instanceof HTMLInputElement) || !(setup instanceof HTMLSelectElement) || !(box instanceof HTMLInputElement) || !answer || choice.setup < 0) return;

  const named = numbers(page, page.named);
  const steps = thresholdSteps(page.setups.flatMap(({ sorted }) => numbers(page, sorted)), Number.isFinite(choice.threshold) ? [...named, choice.threshold] : named);
  slider.max = String(steps.length - 1);
  slider.value = String(Math.max(steps.indexOf(choice.threshold), 0));
  setup.value = String(choice.setup);

  const show = () => {
    choice.setup = Number(setup.value);
    const chosen = page.setups[choice.setup];
    const estimate = chosen && inTime(page, chosen, choice.threshold);
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
