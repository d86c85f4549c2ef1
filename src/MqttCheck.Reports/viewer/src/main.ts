/*!
 * MqttCheck report viewer, MIT licence. Contains Observable Plot, Copyright 2020-2025 Observable, Inc., and D3 with its modules, isoformat and internmap,
 * Copyright 2010-2026 Mike Bostock, 2018-2026 Observable, Inc. (ISC licence):
 * Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright
 * notice and this permission notice appear in all copies.
 * THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY
 * AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM
 * LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR
 * PERFORMANCE OF THIS SOFTWARE.
 */
import type { Draw } from "./chart.ts";
import { comparison } from "./charts/comparison.ts";
import { correlation } from "./charts/correlation.ts";
import { evidence } from "./charts/evidence.ts";
import { histogram } from "./charts/histogram.ts";
import { pit } from "./charts/pit.ts";
import { probability } from "./charts/probability.ts";
import { quantiles } from "./charts/quantiles.ts";
import { residuals } from "./charts/residuals.ts";
import { scatter } from "./charts/scatter.ts";
import { latencyTime, rateTime } from "./charts/time.ts";
import { worst } from "./charts/worst.ts";
import { connectControls, initialChoice } from "./controls.ts";
import { addDownloads, nameAsWhole } from "./export.ts";
import { swatch } from "./points.ts";
import type { Kind, ReportDocument } from "./report.ts";
import { kindColour, kindSymbol } from "./theme.ts";

const charts: Readonly<Record<string, Draw>> = { comparison, correlation, evidence, histogram, pit, probability, quantiles, residuals, scatter, worst, "latency-time": latencyTime, "rate-time": rateTime };
/** The charts that the slider and the list of setups change. */
const chosen = new Set(["probability", "worst"]);

const report = (JSON.parse(document.getElementById("report-data")?.textContent ?? "") as ReportDocument).report;
const choice = initialChoice(report);

/** Draws one chart. Until it stands, the table is open and the stage hidden; so whatever fails here, the reader has the table. */
function drawFigure(figure: HTMLElement): boolean {
  const stage = figure.querySelector<HTMLElement>(".stage");
  const make = charts[figure.dataset["chart"] ?? ""];
  if (!stage || !make) return false;
  try {
    stage.hidden = false;
    const own = new Map([...figure.querySelectorAll<HTMLSelectElement>("select[data-choice]")].map((select) => [select.dataset["choice"] ?? "", select.value]));
    const svg = make({ report, data: figure.dataset, width: Math.max(stage.clientWidth, 260), choice, own });
    if (!svg) {
      stage.hidden = true;
      return false;
    }
    nameAsWhole(svg, figure.id);
    stage.replaceChildren(svg);
    return true;
  } catch (error) {
    stage.hidden = true;
    console.error(`${figure.id}:`, error);
    return false;
  }
}

/** The kinds of message by shape and colour, below the charts that have no room for labels. */
function addLegend(figure: HTMLElement, kinds: Iterable<Kind>): void {
  const list = document.createElement("ul");
  list.className = "legend";
  for (const kind of kinds) {
    const item = document.createElement("li");
    item.append(swatch(kindSymbol(kind), kindColour(kind)), kind);
    list.append(item);
  }
  figure.querySelector(".stage")?.after(list);
}

const figures = [...document.querySelectorAll<HTMLElement>("figure[data-chart]")];
const drawn = new Map<HTMLElement, number>();

function redraw(which: (figure: HTMLElement) => boolean): void {
  for (const figure of drawn.keys()) if (which(figure)) drawFigure(figure);
}

connectControls(report, choice, () => redraw((figure) => chosen.has(figure.dataset["chart"] ?? "")));
for (const figure of figures) {
  if (!drawFigure(figure)) continue;
  drawn.set(figure, figure.querySelector(".stage")?.clientWidth ?? 0);
  const details = figure.querySelector("details");
  if (details) details.open = false;
  if (figure.dataset["chart"] === "scatter") addLegend(figure, (report.log?.scatter?.groups ?? []).map(({ kind }) => kind));
  if (figure.dataset["chart"] === "residuals") addLegend(figure, new Set(report.learning?.calibration?.residuals?.kinds));
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
