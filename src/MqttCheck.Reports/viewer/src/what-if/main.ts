/*! MqttCheck what-if page, MIT licence. */
import { ask, learn, Refused, setup as fetchSetup, stop as stopLive, type Answer, type Curve, type LargestFleet, type OfferedModel, type Progress, type Question, type Scenario, type Sensitivities, type Setup, type VerdictShown } from "./api.ts";
import { Asker } from "./asker.ts";
import { ClusterPart, type ClusterAsked } from "./cluster.ts";
import { element, make, table } from "./dom.ts";
import { cards, inputAt, roundTrip } from "./form.ts";
import { showLines, beginLooks } from "./live.ts";
import { Mistakes, type InputOf } from "./mistakes.ts";
import type { Profile } from "./profile.ts";
import { edited as editedTopology } from "./topology.ts";
import { drawCurve, letter, showChanges, showComparison, showPath, showQuantiles } from "./see.ts";
import { number } from "../theme.ts";

const clients = element<HTMLInputElement>("clients");
const clientsSlider = element<HTMLInputElement>("clients-slider");
const threshold = element<HTMLInputElement>("threshold");
const thresholdSlider = element<HTMLInputElement>("threshold-slider");
const modelSelect = element<HTMLSelectElement>("model");
const profileSelect = element<HTMLSelectElement>("profile");
const wanted = element<HTMLInputElement>("wanted");
const beyond = element<HTMLInputElement>("beyond");
const json = element<HTMLTextAreaElement>("json");

const own = "own";
const lowest = 0.1;
const highest = 10_000;

let offered: Setup;
let scenarios: Scenario[] = [];
let edited = 0;
let thresholdMilliseconds: number | null = null;
let seed = 1;
let answer: Answer | undefined;
const curves = new Map<number, Curve>();

function refuse(message: string): void {
  const place = element("refusal");
  place.textContent = message;
  place.hidden = message === "";
}

const prediction = new Asker();
const detail = new Asker();
const live = new Asker();

/** The input for a path in a question whose scenario of this place is the one that the form edits. */
const inputOf = (place: number): InputOf => (path) => {
  const [, index, key = ""] = /^(?:scenarios\[(\d+)\]\.)?(.*)$/.exec(path) ?? [];
  if (index !== undefined && Number(index) !== place) return undefined;
  if (key.startsWith("profile")) return inputAt(key.slice("profile.".length)) ?? json;
  return { clients, model: modelSelect, thresholdMilliseconds: threshold, wantedProbability: wanted }[key];
};

const mistakes = new Mistakes("form", inputOf(0));

/** Says beside a button why it did nothing. */
const refuseAt = (id: string, did: string) => (refused: unknown): void => { element(id).textContent = `${did} ${mistakes.show(refused)}`; };

const cluster = new ClusterPart(() => seed, () => remember());

const scenario = (): Scenario => scenarios[edited] as Scenario;

/** The question; the scenario that is meant may stand first. */
function question(session: string, request: number, first?: number): Question {
  const order = first === undefined ? scenarios : [scenarios[first] as Scenario];
  const probability = Number(wanted.value);
  return { session, request, scenarios: order, thresholdMilliseconds, seed, beyond: beyond.checked, wantedProbability: probability };
}

function remember(): void {
  const shared = {
    seed, threshold: thresholdMilliseconds, ...(beyond.checked ? { beyond: true } : {}),
    scenarios: scenarios.map((one) => ({ ...one, profile: builtInName(one.profile) ?? one.profile })),
    cluster: cluster.asked,
  };
  history.replaceState(null, "", `#q=${encodeURIComponent(JSON.stringify(shared))}`);
}

const builtInName = (profile: Profile): string | undefined =>
  Object.keys(offered.profiles).find((name) => JSON.stringify(offered.profiles[name]) === JSON.stringify(profile));

/** Takes the question from the address. Returns that of its cluster. */
function recall(): ClusterAsked | undefined {
  const known = /^#q=(.+)$/.exec(location.hash)?.[1];
  scenarios = [{ model: offered.models[0]?.name ?? "", profile: structuredClone(offered.profiles["up1"] ?? {}), clients: Math.max(1, Math.round(0.8 * (offered.models[0]?.clients ?? 50))) }];
  if (!known) return undefined;
  try {
    const shared = JSON.parse(decodeURIComponent(known)) as { seed: number; threshold: number | null; beyond?: boolean; scenarios: (Omit<Scenario, "profile"> & { profile: string | Profile })[]; cluster?: ClusterAsked };
    const recalled = shared.scenarios.map((one) => ({ ...one, profile: structuredClone(typeof one.profile === "string" ? (offered.profiles[one.profile] ?? {}) : one.profile) }));
    if (recalled.length > 0) scenarios = recalled;
    [seed, thresholdMilliseconds] = [shared.seed, shared.threshold];
    beyond.checked = shared.beyond === true;
    return shared.cluster;
  } catch {
    refuse("The address holds no question that can be read; the page begins with its own.");
    return undefined;
  }
}

function predict(): void {
  remember();
  mistakes.clear();
  stale();
  element("quality").textContent = `Simulating ...${earlier()}`;
  prediction.ask("/api/predictions", (session, request) => question(session, request), (name, value) => {
    refuse("");
    if (name === "waiting") element("quality").textContent = (value as { reason: string }).reason + earlier();
    if (name === "answer") showAnswer(value as Answer);
    if (name === "curve") {
      const curve = value as Curve;
      curves.set(curve.scenario, curve);
      if (curve.scenario === edited && answer) drawCurve(curve, answer);
    }
  }, (refused) => {
    element("quality").textContent = `Not answered. ${mistakes.show(refused, inputOf(edited))}${earlier()}`;
    offerBeyond(refused.isAnsweredBeyond);
    if (!answer) element("answer").textContent = "No answer yet";
  }, () => { document.documentElement.dataset["answered"] = String(prediction.current); });
}

/** Offers an answer without ground beside the refusal. While it is chosen it can be taken back. */
function offerBeyond(isOffered: boolean): void {
  element("offer").hidden = !isOffered && !beyond.checked;
}

/** Marks what the page shows as the answer to another question than the form's. */
function stale(): void {
  detail.end();
  if (answer) element("question").dataset["stale"] = "";
  for (const id of ["fleet", "changes"]) element(id).dataset["stale"] = "";
  if (/ \.\.\.$/.test(element("fleet").textContent ?? "")) element("fleet").textContent = "";
  if (/^Not planned/.test(element("plan-text").textContent ?? "")) element("plan-text").textContent = "";
}

const earlier = (): string => (answer ? " What is shown answers the question before." : "");

function showAnswer(value: Answer): void {
  answer = value;
  delete element("question").dataset["stale"];
  offerBeyond(false);
  if (thresholdMilliseconds === null) {
    thresholdMilliseconds = value.thresholdMilliseconds;
    showThreshold();
    remember();
  }
  const mine = value.scenarios[edited] ?? value.scenarios[0];
  if (!mine) return;
  element("answer").textContent = (value.scenarios.length > 1 ? `${letter(edited)}: ` : "") + mine.sentence;
  element("quality").textContent = value.isFinal
    ? `Refined: ${number(mine.replications)} simulations, as the command makes.`
    : `Coarse: ${number(mine.replications)} simulations so far; the interval allows for it.`;
  document.documentElement.dataset["replications"] = String(mine.replications);
  document.documentElement.dataset["probability"] = String(mine.probability);
  document.documentElement.dataset["width"] = String(mine.upper - mine.lower);
  if (value.isFinal) element("status").textContent = mine.sentence;
  showTrust(mine.trust);
  showQuantiles(value, edited);
  showComparison(value);
}

function showTrust(trust: Answer["scenarios"][number]["trust"]): void {
  const place = element("trust");
  place.dataset["level"] = trust.level;
  const [word = "", rest = ""] = trust.sentence.split(": ");
  place.replaceChildren(make("strong", {}, word), `: ${rest}`);
  if (trust.level !== "inside" && offered.broker !== null) {
    const remedy = make("button", { type: "button", id: "remedy" }, `Explore again up to ${number(scenario().clients)} clients`);
    remedy.addEventListener("click", explore);
    place.append(make("p", { class: "buttons" }, remedy, `takes a minute and a half on ${offered.broker}.`));
  }
  element("notes").replaceChildren(...trust.notes.map((note) => make("p", { class: "notice warning" }, note)));
}

const logarithmic = (low: number, high: number, place: number): number => low * (high / low) ** (place / 1000);
const placeOf = (low: number, high: number, value: number): string => String(Math.round((1000 * Math.log(Math.max(value, low) / low)) / Math.log(high / low)));

function showClients(): void {
  clients.value = String(scenario().clients);
  clientsSlider.value = placeOf(1, offered.mostClients, scenario().clients);
  clientsSlider.setAttribute("aria-valuetext", `${number(scenario().clients)} clients`);
}

function showThreshold(): void {
  threshold.value = thresholdMilliseconds === null ? "" : String(thresholdMilliseconds);
  if (thresholdMilliseconds !== null) thresholdSlider.value = placeOf(lowest, highest, thresholdMilliseconds);
  thresholdSlider.setAttribute("aria-valuetext", `${threshold.value} ms`);
}

function showCards(): void {
  const { elements } = cards(scenario().profile, (again) => {
    if (again) showCards();
    showProfile();
    predict();
  });
  element("cards").replaceChildren(...elements);
  showProfile();
}

function showProfile(): void {
  json.value = JSON.stringify(scenario().profile, null, 2);
  const name = builtInName(scenario().profile);
  profileSelect.replaceChildren(
    ...Object.keys(offered.profiles).map((one) => make("option", { value: one }, one)),
    ...(name ? [] : [make("option", { value: own }, `${String(scenario().profile["name"] ?? "")}, changed`)]));
  profileSelect.value = name ?? own;
}

function showForm(): void {
  modelSelect.replaceChildren(...offered.models.map(({ name, broker }) => make("option", { value: name }, `${name} (${broker})`)));
  modelSelect.value = scenario().model;
  element("scenarios").replaceChildren(...(scenarios.length < 2 ? [] : scenarios.map((_, index) => {
    const button = make("button", { type: "button", "aria-pressed": String(index === edited) }, `Scenario ${letter(index)}`);
    // The buttons are made anew: the one that was pressed keeps the focus.
    button.addEventListener("click", () => { edit(index); (element("scenarios").children[index] as HTMLElement).focus(); });
    return button;
  })));
  element("scenarios").hidden = scenarios.length < 2;
  element<HTMLButtonElement>("remove").disabled = scenarios.length < 2;
  element<HTMLButtonElement>("add").disabled = scenarios.length >= offered.mostScenarios;
  showClients();
  showThreshold();
  showCards();
}

function edit(index: number): void {
  edited = index;
  showForm();
  if (answer) showAnswer(answer);
  const curve = curves.get(edited);
  if (curve && answer) drawCurve(curve, answer);
}

function useProfile(profile: Profile): void {
  scenario().profile = profile;
  showCards();
  predict();
}

async function applyText(text: string): Promise<void> {
  try {
    JSON.parse(text);
  } catch (error) {
    refuseAt("quality", "Not applied.")(new Refused(0, { reason: "", findings: [{ path: "profile", text: `not valid JSON: ${(error as Error).message}` }] }));
    return;
  }
  try {
    useProfile(await ask<Profile>("/api/profiles", JSON.parse(text)));
  } catch (error) {
    refuseAt("quality", "Not applied.")(error);
  }
}

async function learnFrom(files: readonly File[]): Promise<void> {
  const log = files.find(({ name }) => name.endsWith(".csv"));
  const said = element("learned");
  if (!log) {
    said.textContent = `Not learned. ${files.map(({ name }) => `"${name}"`).join(", ")} given; allowed: a .csv file that mqttcheck explore wrote, and its .run.json file.`;
    return;
  }
  said.textContent = "Learning ...";
  try {
    const { model, command, notes } = await learn(log, files.find(({ name }) => name.endsWith(".json")));
    if (!offered.models.some(({ name }) => name === model.name)) offered.models.push(model);
    scenario().model = model.name;
    showForm();
    predict();
    said.replaceChildren(`Learned ${model.name}: `, make("code", {}, command), ...notes.map((note) => make("span", { class: "notice warning" }, note)));
  } catch (error) {
    refuseAt("learned", "Not learned.")(error);
  }
}

function connectLog(): void {
  const file = element<HTMLInputElement>("log");
  file.addEventListener("change", () => { if (file.files?.length) void learnFrom([...file.files]).then(() => { file.value = ""; }); });
  const drop = element("ask");
  drop.addEventListener("dragover", (event) => { event.preventDefault(); });
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    element<HTMLDetailsElement>("learn").open = true;
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) void learnFrom(files);
  });
}

function connectForm(): void {
  clients.addEventListener("input", () => { scenario().clients = Number(clients.value); clientsSlider.value = placeOf(1, offered.mostClients, scenario().clients); predict(); });
  const slide = (asked: number) => {
    scenario().clients = Math.min(Math.max(Math.round(asked), 1), offered.mostClients);
    showClients();
    predict();
  };
  clientsSlider.addEventListener("input", () => slide(logarithmic(1, offered.mostClients, Number(clientsSlider.value))));
  clientsSlider.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    // A place of the slider is less than one client where they are few: a key would do nothing.
    const next = logarithmic(1, offered.mostClients, Number(clientsSlider.value) + step);
    slide(step > 0 ? Math.max(next, scenario().clients + 1) : Math.min(next, scenario().clients - 1));
  });
  threshold.addEventListener("input", () => { thresholdMilliseconds = threshold.value === "" ? null : Number(threshold.value); if (thresholdMilliseconds !== null) showThreshold(); predict(); });
  thresholdSlider.addEventListener("input", () => {
    thresholdMilliseconds = Number(logarithmic(lowest, highest, Number(thresholdSlider.value)).toPrecision(2));
    threshold.value = String(thresholdMilliseconds);
    thresholdSlider.setAttribute("aria-valuetext", `${threshold.value} ms`);
    predict();
  });
  beyond.addEventListener("input", () => predict());
  modelSelect.addEventListener("input", () => { scenario().model = modelSelect.value; predict(); });
  profileSelect.addEventListener("input", () => { const profile = offered.profiles[profileSelect.value]; if (profile) useProfile(structuredClone(profile)); });
  json.addEventListener("change", () => void applyText(json.value));
  const file = element<HTMLInputElement>("file");
  file.addEventListener("change", () => void file.files?.[0]?.text().then(applyText));
  element("form").addEventListener("submit", (event) => event.preventDefault());
  element("add").addEventListener("click", () => { scenarios.push(structuredClone(scenario())); edited = scenarios.length - 1; showForm(); predict(); });
  element("remove").addEventListener("click", () => { scenarios.splice(edited, 1); curves.clear(); edited = 0; showForm(); predict(); if (element<HTMLButtonElement>("remove").disabled) element("add").focus(); });
}

function connectDetails(): void {
  element("ask-changes").addEventListener("click", () => {
    mistakes.clear();
    delete element("fleet").dataset["stale"];
    element("fleet").textContent = "Trying five changes ...";
    detail.ask("/api/sensitivities", (session, request) => question(session, request, edited), (name, value) => {
      if (name !== "sensitivities") return;
      delete element("changes").dataset["stale"];
      const tried = value as Sensitivities;
      showChanges(tried);
      if (tried.isFinal) element("fleet").textContent = `All changes are tried. ${tried.sentence}`;
    }, refuseAt("fleet", "Not tried."));
  });
  wanted.addEventListener("input", () => { mistakes.clear(); element("fleet").textContent = ""; });
  element("ask-fleet").addEventListener("click", () => {
    mistakes.clear();
    delete element("fleet").dataset["stale"];
    element("fleet").textContent = "Searching ...";
    detail.ask("/api/largest-fleets", (session, request) => question(session, request, edited), (name, value) => {
      if (name === "largestFleet") element("fleet").textContent = (value as LargestFleet).sentence + ((value as LargestFleet).isFinal ? "" : " Searching ...");
    }, refuseAt("fleet", "Not searched."));
  });
}

/** What is focused must not vanish under a keyboard's user. */
function endLive(): void {
  const isFocused = document.activeElement === element("stop") || document.activeElement === element("start");
  element("start").hidden = element("stop").hidden = true;
  document.getElementById("done")?.remove();
  element<HTMLButtonElement>("plan").disabled = false;
  if (isFocused) element("plan").focus();
}

function beginLive(text: string): void {
  element("plan-text").textContent = text;
  element("start").hidden = true;
  element("stop").hidden = false;
  element<HTMLButtonElement>("plan").disabled = true;
  element("stop").focus();
  delete document.documentElement.dataset["verdict"];
  beginLooks(element("live"));
}

/** What the live broker refuses is said beside its buttons. */
const failLive = (refused: unknown): void => { refuseAt("plan-text", "Not done.")(refused); endLive(); };

function connectLive(): void {
  const plan = element<HTMLButtonElement>("plan");
  if (offered.broker === null) plan.disabled = true;
  plan.addEventListener("click", async () => {
    mistakes.clear();
    element("start").hidden = true;
    element("plan-text").textContent = "Planning ...";
    try {
      const planned = await ask<{ sentence: string }>("/api/verification-plans", question(live.session, 0, edited));
      element("plan-text").textContent = planned.sentence;
      element("start").hidden = false;
      element("start").focus();
    } catch (error) {
      refuseAt("plan-text", "Not planned.")(error);
    }
  });
  element("start").addEventListener("click", () => {
    beginLive(element("plan-text").textContent ?? "");
    live.ask("/api/verifications", (session, request) => question(session, request, edited), (name, value) => {
      if (name === "progress") showLines(value as Progress);
      if (name === "verdict") showVerdict(value as VerdictShown);
    }, failLive, endLive);
  });
  element("stop").addEventListener("click", async () => {
    element("progress").focus();
    element("stop").hidden = true;
    element("plan-text").textContent = "Stopping: what was measured until now is judged.";
    try {
      await stopLive(live.session);
    } catch (error) {
      live.end();
      element("plan-text").textContent = "Stopped.";
      // It may have ended just now, or not have begun yet.
      if (!(error instanceof Refused && error.status === 404)) refuseAt("plan-text", "Not stopped.")(error);
      endLive();
    }
  });
}

function showVerdict({ report, done }: VerdictShown): void {
  showPath(done);
  element("plan-text").textContent = (done.interrupted ? "Stopped. " : "") + done.verdicts.map(({ kind, reason }) => `${kind.replace("-", " ")}: ${reason}`).join(" ");
  const rows = done.verdicts.map(({ point, kind, measuredProbability }) => [`${point.profile}, ${number(point.clients)} clients`, kind.replace("-", " "), number(point.probability), number(measuredProbability ?? NaN)]);
  element("live").append(
    table("Verdict", ["setup", "verdict", "predicted", "measured"], rows),
    ...done.warnings.map((warning) => make("p", { class: "notice warning" }, warning)),
    make("p", {}, make("a", { href: report, target: "_blank", rel: "noopener" }, "Open the report"), ` The verdict is in ${done.verdictFile}.`),
    make("pre", { tabindex: "0", "aria-label": "Command of the verification" }, make("code", {}, done.repeat)));
  document.documentElement.dataset["verdict"] = done.verdicts[0]?.kind ?? "";
}

function explore(): void {
  mistakes.clear();
  beginLive(`Exploring ${offered.broker} up to ${number(scenario().clients)} clients for a minute, then learning.`);
  live.ask("/api/explorations", (session, request) => question(session, request, edited), (name, value) => {
    if (name === "progress") showLines(value as Progress);
    if (name === "model") {
      const model = value as OfferedModel;
      offered.models.push(model);
      scenario().model = model.name;
      element("plan-text").textContent = `The model ${model.name} has seen up to ${number(model.clients)} clients, and is chosen.`;
      showForm();
      predict();
    }
  }, failLive, endLive);
}

async function copy(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    element("copied").textContent = said;
  } catch {
    element("copied").textContent = "The browser does not allow copying: take it from below.";
  }
}

function connectShare(): void {
  element("copy-command").addEventListener("click", async () => {
    try {
      const { predict: command } = await ask<{ predict: string }>("/api/commands", { ...question(prediction.session, 0), scenarios: [scenario(), ...scenarios.filter((_, index) => index !== edited)] });
      element("command").textContent = command;
      (element("command").parentElement as HTMLElement).hidden = false;
      await copy(command, "The command is copied.");
    } catch (error) {
      refuseAt("copied", "Not copied.")(error);
    }
  });
  element("copy-link").addEventListener("click", () => void copy(location.href, "The link is copied."));
  element("download").addEventListener("click", () => {
    const name = String(scenario().profile["name"] ?? "profile");
    const link = make("a", { download: `${name}.json`, href: URL.createObjectURL(new Blob([json.value + "\n"], { type: "application/json" })) });
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

async function begin(): Promise<void> {
  try {
    offered = await fetchSetup();
  } catch (error) {
    element("answer").textContent = "The page cannot begin";
    refuse((error as Error).message);
    return;
  }
  const askedOfCluster = recall();
  connectForm();
  connectLog();
  connectDetails();
  connectLive();
  connectShare();
  showForm();
  // The cluster's question is in its fields before the address is written again.
  void cluster.begin(askedOfCluster);
  predict();
  (window as unknown as { whatIf: object }).whatIf = { roundTrip, editedTopology };
  document.documentElement.dataset["page"] = "ready";
}

void begin();
