import type { Maybe, PageCharts, View } from "./chart.ts";
import { connectControls, type Choice } from "./controls.ts";
import { draw } from "./draw.ts";
import { addDownloads, nameAsWhole } from "./export.ts";

const data = JSON.parse(document.getElementById("report-data")?.textContent ?? "") as { charts: PageCharts };
const page = data.charts;
const columns = page.columns.map((column) =>
  typeof column === "string" ? column.split(".").reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], data) as Maybe[] : column);
const choice: Choice = { setup: page.threshold === null ? -1 : page.setup ?? 0, threshold: page.threshold ?? NaN };

/** What is chosen above a figure, and above all of them. */
function viewOf(figure: HTMLElement): View {
  const chosen = new Map([...figure.querySelectorAll<HTMLSelectElement>("select[data-choice]")].map((select) => [select.dataset["choice"] ?? "", select.value]));
  return { columns, chosen: chosen.set("setup", String(choice.setup)), threshold: choice.threshold };
}

/** Draws one chart. Until it stands, the table is open and the stage hidden; so whatever fails here, the reader has the table. */
function drawFigure(figure: HTMLElement): boolean {
  const stage = figure.querySelector<HTMLElement>(".stage");
  const chart = page.figures[figure.id];
  if (!stage || !chart) return false;
  try {
    stage.hidden = false;
    const svg = draw(chart, viewOf(figure), Math.max(stage.clientWidth, 260));
    nameAsWhole(svg, figure.id);
    stage.replaceChildren(svg);
    return true;
  } catch (error) {
    stage.hidden = true;
    console.error(`${figure.id}:`, error);
    return false;
  }
}

/** Whether a chart depends on what is chosen above all of them. */
const isChosen = (figure: HTMLElement): boolean =>
  page.figures[figure.id]?.marks.some(({ shape, when }) => shape === "reading" || shape === "level" || when?.["setup"] !== undefined) ?? false;

const figures = [...document.querySelectorAll<HTMLElement>("figure[data-chart]")];
const drawn = new Map<HTMLElement, number>();

connectControls({ ...page, columns }, choice, () => [...drawn.keys()].filter(isChosen).forEach(drawFigure));
for (const figure of figures) {
  if (!drawFigure(figure)) continue;
  drawn.set(figure, figure.querySelector(".stage")?.clientWidth ?? 0);
  const details = figure.querySelector("details");
  if (details) details.open = false;
  addDownloads(figure);
  for (const select of figure.querySelectorAll<HTMLSelectElement>("select[data-choice]")) select.addEventListener("input", () => drawFigure(figure));
  for (const choices of figure.querySelectorAll<HTMLElement>(".choices")) choices.hidden = false;
}
document.getElementById("no-charts")?.remove();

const resized = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const figure = target.closest<HTMLElement>("figure");
    const width = Math.round(contentRect.width);
    if (!figure || width === 0 || drawn.get(figure) === width) continue;
    drawn.set(figure, width);
    drawFigure(figure);
  }
});
for (const figure of drawn.keys()) {
  const stage = figure.querySelector(".stage");
  if (stage) resized.observe(stage);
}
document.documentElement.dataset["viewer"] = "ready";
performance.mark("viewer-ready");
