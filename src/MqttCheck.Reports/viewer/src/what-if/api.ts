/** What the server sends; docs: /api/openapi.json. */
import type { Chart, Maybe } from "../chart.ts";
import type { Profile } from "./profile.ts";

export interface Scenario {
  model: string;
  profile: Profile;
  clients: number;
}

export interface Question {
  session: string;
  request: number;
  scenarios: Scenario[];
  thresholdMilliseconds: number | null;
  seed: number;
  beyond: boolean;
  wantedProbability: number;
}

export interface OfferedModel {
  name: string;
  broker: string;
  clients: number;
}

export interface Setup {
  toolVersion: string;
  broker: string | null;
  models: OfferedModel[];
  profiles: Record<string, Profile>;
  mostClients: number;
  mostScenarios: number;
}

export interface Trust {
  level: "inside" | "edge" | "outside";
  sentence: string;
  trainedUpToClients: number | null;
  notes: string[];
}

export interface ScenarioAnswer {
  sentence: string;
  profile: string;
  model: string;
  clients: number;
  replications: number;
  probability: number;
  lower: number;
  upper: number;
  level: number;
  trust: Trust;
  quantiles: { share: number; milliseconds: number | null }[];
  thresholds: { milliseconds: number; probability: number; lower: number; upper: number }[];
}

export interface Answer {
  request: number;
  replications: number;
  isFinal: boolean;
  thresholdMilliseconds: number;
  scenarios: ScenarioAnswer[];
  thresholdCharts: (Chart | null)[];
  comparison: Chart;
  differences: { scenario: number; difference: number; lower: number; upper: number; words: string }[];
}

export interface Curve {
  request: number;
  scenario: number;
  isFinal: boolean;
  thresholdMilliseconds: number;
  trainedUpToClients: number | null;
  chart: Chart | null;
  points: { clients: number; replications: number; probability: number; lower: number; upper: number }[];
}

export interface Sensitivity {
  change: string;
  place: number | null;
  difference: number | null;
  lower: number | null;
  upper: number | null;
  inModelLower: number | null;
  inModelUpper: number | null;
  words: string;
}

/** The changes that were tried so far, in the order in which they are shown. */
export interface Sensitivities {
  isFinal: boolean;
  level: number;
  sentence: string;
  changes: Sensitivity[];
  chart: Chart | null;
}

export interface LargestFleet {
  isFinal: boolean;
  sentence: string;
  notes: string[];
}

/** The verdict on a prediction, as far as the page shows it. */
export interface Verdict {
  point: { profile: string; clients: number; probability: number };
  kind: string;
  reason: string;
  runs: number;
  samples: number;
  measuredProbability: Maybe;
  measuredInterval: { lower: Maybe; upper: Maybe } | null;
  paths: { name: string; samples: number[]; logRatios: Maybe[]; lowerBound: Maybe; upperBound: Maybe }[];
}

/** What a test has shown so far. */
export interface Tested {
  verdicts: Verdict[];
  chart: Chart | null;
}

export interface Progress extends Tested {
  share: number | "NaN";
  activity: string;
  lines: string[];
}

export interface VerdictShown {
  report: string;
  done: Tested & { warnings: string[]; verdictFile: string; repeat: string; interrupted: boolean };
}

export interface Cluster {
  isFinal: boolean;
  command: string;
  promise: string;
  notes: string[];
  pairs: ClusterPairs | null;
  rows: { label: string; property: string; estimate: number | null; lower: number | null; upper: number | null; kind: string | null; runs: number; holds: boolean | null; reason: string }[];
}

/** Delivery times and losses by the places of publisher and subscriber. */
export interface ClusterPairs {
  areSites: boolean;
  runs: number;
  chart: Chart | null;
  rows: { from: string; to: string; meanMilliseconds: number | null; medianMilliseconds: number | null; p99Milliseconds: number | null; owed: number; missing: number; lost: number }[];
}

/** What the reader of files makes of a topology. */
export interface Picture {
  name: string;
  system: string;
  nodes: { name: string; sites: string[] }[];
  links: { from: number; to: number; delay: string; milliseconds: number }[];
  faults: string[];
  durationSeconds: number;
}

export interface LearnedHere {
  model: OfferedModel;
  command: string;
  notes: string[];
}

/** A mistake in what was asked: the key that it is about, empty for none, and what is wrong. */
export interface Finding {
  path: string;
  text: string;
}

interface Reason {
  reason: string;
  findings: Finding[];
  isAnsweredBeyond?: boolean;
}

/** What the server refuses, with its reason. */
export class Refused extends Error {
  readonly findings: readonly Finding[];
  /** Whether the same question is answered beyond training. */
  readonly isAnsweredBeyond: boolean;

  constructor(readonly status: number, { reason, findings, isAnsweredBeyond = false }: Reason) {
    super(reason);
    this.findings = findings;
    this.isAnsweredBeyond = isAnsweredBeyond;
  }
}

/** Nobody answers. */
export const unreachable = (): Refused => new Refused(0, { reason: "The server does not answer. Is 'mqttcheck serve' still running?", findings: [] });

async function accepted(response: Response): Promise<Response> {
  if (!response.ok) throw new Refused(response.status, (await response.json()) as Reason);
  return response;
}

/** A request to the server, which may be gone. */
async function reach(path: string, request?: RequestInit): Promise<Response> {
  const response = await fetch(path, request).catch((error: unknown) => {
    if (request?.signal?.aborted) throw error;
    throw unreachable();
  });
  return accepted(response);
}

async function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return reach(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal: signal ?? null });
}

/** Learns a model from a log, and the information beside it where it is known. */
export async function learn(log: File, information: File | undefined): Promise<LearnedHere> {
  const form = new FormData();
  form.append("log", log);
  if (information) form.append("information", information);
  return (await (await reach("/api/models", { method: "POST", body: form })).json()) as LearnedHere;
}

export async function ask<T>(path: string, body: unknown): Promise<T> {
  return (await (await post(path, body)).json()) as T;
}

/** Ends the work of a page on the live broker in order; its stream still sends what it found. */
export async function stop(session: string): Promise<void> {
  await post("/api/stops", { session });
}

export async function setup(): Promise<Setup> {
  return (await (await reach("/api/setup")).json()) as Setup;
}

/** Reads a stream of events until it ends; closing it ends the work behind it. */
export async function listen(path: string, body: unknown, signal: AbortSignal, take: (name: string, value: never) => void): Promise<void> {
  const response = await post(path, body, signal);
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const name = lines.find((line) => line.startsWith("event: "))?.slice(7) ?? "";
      const data = lines.find((line) => line.startsWith("data: "))?.slice(6) ?? "null";
      if (name === "refusal") throw new Refused(400, JSON.parse(data) as Reason);
      take(name, JSON.parse(data) as never);
    }
  }
}
