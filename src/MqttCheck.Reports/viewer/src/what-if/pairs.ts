import { milliseconds, number } from "../theme.ts";
import type { Cluster, ClusterPairs } from "./api.ts";
import { element, figure, make, table } from "./dom.ts";

const time = (value: number | null): string => (value === null ? "–" : milliseconds(value));

function showPairs(place: HTMLElement, { rows, areSites, runs, chart }: ClusterPairs): void {
  const [from, to] = areSites ? ["from site", "to site"] : ["from broker", "to broker"];
  figure(place, "cluster-figure", `Delivery time ${from} ${to}`,
    `Median in ms of the deliveries away from faults, in ${number(runs)} runs together: rows publish, columns subscribe. Below a minus: how many never came, for any reason; lost ones are a part of these. `
    + "Clients of a node that is down publish when it is back, and are owed nothing meanwhile.",
    chart,
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
  answers.replaceChildren(make("h3", {}, "What is predicted"), make("p", { class: "missing", id: "cluster-promise" }, cluster.promise),
    table("What is predicted of the cluster", ["property", "varied", "answer", "interval", "kind", "runs", "holds"],
      cluster.rows.map((row) => [row.property, row.label, value(row.estimate), row.lower === null ? "–" : `${value(row.lower)} to ${value(row.upper)}`, row.kind ?? "", number(row.runs), row.holds === null ? "" : row.holds ? "yes" : "no"])),
    ...cluster.notes.map((note) => make("p", { class: "fine" }, note)));
  if (cluster.pairs && cluster.pairs.rows.length > 0) showPairs(element("cluster-pairs"), cluster.pairs);
  else element("cluster-pairs").replaceChildren();
  element("cluster-command").textContent = cluster.command;
}
