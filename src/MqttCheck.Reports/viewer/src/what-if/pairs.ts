import { axisX, axisY, cell, pointer, text, tip } from "@observablehq/plot";
import { draw } from "../plot.ts";
import { colour, ink, milliseconds, number } from "../theme.ts";
import type { Cluster, ClusterPairs } from "./api.ts";
import { element, figure, make, table } from "./dom.ts";

type Row = ClusterPairs["rows"][number];
const time = (value: number | null): string => (value === null ? "–" : milliseconds(value));
const rightMargin = 8;

/** Medians as cells: a row publishes, a column subscribes. */
function matrix(rows: readonly Row[], width: number): SVGSVGElement {
  const places = [...new Set(rows.flatMap(({ from, to }) => [from, to]))];
  const longest = Math.max(...places.map((place) => place.length));
  const marginLeft = Math.min(12 + 7 * longest, 120);
  const side = (width - marginLeft - rightMargin) / places.length;
  const isSlanted = 7 * longest > side - 4;
  const marginTop = isSlanted ? 12 + Math.min(6 * longest, 80) : 26;
  const height = Math.min(Math.max(side, 14), 56);
  const slowest = Math.max(...rows.map(({ medianMilliseconds }) => medianMilliseconds ?? 0), 1e-9);
  const said = ({ medianMilliseconds, missing }: Row): string =>
    [medianMilliseconds === null ? "–" : number(medianMilliseconds), ...(missing > 0 && height > 36 ? [`−${number(missing)}`] : [])].join("\n");
  const data = rows as Row[];
  return draw({
    width, height: marginTop + height * places.length + 8, marginLeft, marginRight: rightMargin, marginTop, marginBottom: 8,
    x: { type: "band", domain: places, padding: 0.04 }, y: { type: "band", domain: places, padding: 0.04 }, opacity: { type: "identity" },
    marks: [
      cell(data, { x: "to", y: "from", fill: colour(0), fillOpacity: ({ medianMilliseconds }: Row) => 0.06 + 0.4 * ((medianMilliseconds ?? 0) / slowest) }),
      ...(side > 34 ? [text(data, { x: "to", y: "from", text: said, fill: ink })] : []),
      axisX({ anchor: "top", tickSize: 0, label: null, ...(isSlanted ? { tickRotate: -60 } : {}) }),
      axisY({ tickSize: 0, label: null, lineWidth: 9, textOverflow: "ellipsis" }),
      tip(data, pointer({ x: "to", y: "from", title: (row: Row) => `${row.from} to ${row.to}\nmedian ${time(row.medianMilliseconds)}, 99 % within ${time(row.p99Milliseconds)}\n${number(row.missing)} of ${number(row.owed)} never came` })),
    ],
  });
}

function showPairs(place: HTMLElement, { rows, areSites, runs }: ClusterPairs): void {
  const [from, to] = areSites ? ["from site", "to site"] : ["from broker", "to broker"];
  figure(place, "cluster-figure", `Delivery time ${from} ${to}`,
    `Median in ms of the deliveries away from faults, in ${number(runs)} runs together: rows publish, columns subscribe. Below a minus: how many never came, for any reason; lost ones are a part of these. `
    + "Clients of a node that is down publish when it is back, and are owed nothing meanwhile.",
    (width) => matrix(rows, width),
    [from, to, "mean", "median", "99 % within", "owed", "never came", "lost"],
    rows.map((row) => [row.from, row.to, time(row.meanMilliseconds), time(row.medianMilliseconds), time(row.p99Milliseconds), row.owed.toLocaleString("en-US"), row.missing.toLocaleString("en-US"), row.lost.toLocaleString("en-US")]));
}

/** What is predicted of a cluster: its properties, its pairs, and the command that says the same. */
export function showCluster(cluster: Cluster): void {
  const value = (known: number | null) => (known === null ? "–" : number(known));
  const place = element("cluster");
  let answers = document.getElementById("cluster-answers");
  if (!answers) {
    answers = make("div", { class: "card", id: "cluster-answers" });
    const command = make("code", { id: "cluster-command" });
    const copy = make("button", { type: "button", id: "copy-cluster" }, "Copy the cluster's command");
    copy.addEventListener("click", () => void navigator.clipboard.writeText(command.textContent ?? "").then(
      () => { element("cluster-status").textContent = "The command is copied."; },
      () => { element("cluster-status").textContent = "The browser does not allow copying: take the command from below."; }));
    place.append(answers, make("div", { id: "cluster-pairs" }), make("p", { class: "buttons" }, copy), make("pre", { tabindex: "0", "aria-label": "Command of the cluster" }, command));
  }
  answers.replaceChildren(make("h3", {}, "What is predicted"), make("p", { class: "missing" }, "Times are in milliseconds."),
    table("What is predicted of the cluster", ["property", "varied", "answer", "interval", "runs", "holds"],
      cluster.rows.map((row) => [row.property, row.label, value(row.estimate), row.lower === null ? "–" : `${value(row.lower)} to ${value(row.upper)}`, number(row.runs), row.holds === null ? "" : row.holds ? "yes" : "no"])));
  if (cluster.pairs && cluster.pairs.rows.length > 0) showPairs(element("cluster-pairs"), cluster.pairs);
  else element("cluster-pairs").replaceChildren();
  element("cluster-command").textContent = cluster.command;
}
