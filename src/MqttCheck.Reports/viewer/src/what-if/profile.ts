/** A profile or population as its file has it. The form edits it in place, so it keeps what the form does not show. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type Profile = { [key: string]: Json };

/** The groups of a population; a profile by itself is one group without a share. */
export interface Group {
  title: string;
  /** Where the profile stands in the document; empty, or with a dot at its end. */
  path: string;
  holder: Profile | undefined;
  profile: Profile;
}

export const isObject = (value: Json | undefined): value is Profile => typeof value === "object" && value !== null && !Array.isArray(value);

export function groupsOf(document: Profile): Group[] {
  const groups = document["groups"];
  if (!Array.isArray(groups)) return [{ title: String(document["name"] ?? ""), path: "", holder: undefined, profile: document }];
  return groups.flatMap((group, index) =>
    isObject(group) && isObject(group["profile"]) ? [{ title: String(group["name"] ?? ""), path: `groups[${index}].profile.`, holder: group, profile: group["profile"] }] : []);
}

/** A law of waits: its form and its one or two numbers. */
export const forms: Readonly<Record<string, readonly string[]>> = {
  constant: ["ms"], uniform: ["from ms", "to ms"], exponential: ["mean ms"], normal: ["mean ms", "deviation ms"], lognormal: ["median ms", "sigma"],
};

export function law(value: Json | undefined): { form: string; numbers: number[] } | undefined {
  if (!isObject(value)) return undefined;
  const [entry, ...others] = Object.entries(value);
  if (!entry || others.length > 0 || !(entry[0] in forms)) return undefined;
  const numbers = Array.isArray(entry[1]) ? entry[1] : [entry[1]];
  return numbers.every((one): one is number => typeof one === "number") && numbers.length === forms[entry[0]]?.length
    ? { form: entry[0], numbers }
    : undefined;
}

export const lawJson = (form: string, numbers: Json[]): Profile => ({ [form]: numbers.length === 1 ? (numbers[0] ?? null) : numbers });

function mean({ form, numbers: [a = 0, b = 0] }: { form: string; numbers: number[] }): number {
  return form === "uniform" ? (a + b) / 2 : form === "lognormal" ? a * Math.exp((b * b) / 2) : a;
}

/** What clients of a group do, in plain units. */
export function plain(profile: Profile): string {
  const wait = law(profile["waitMilliseconds"]);
  const parts: string[] = [];
  const instants = profile["simultaneous"];
  if (isObject(instants)) parts.push(`all ${instants["message"] ?? "connect"} at the same instant every ${Number(instants["everySeconds"])} s`);
  if (Array.isArray(profile["order"])) parts.push(`in order: ${profile["order"].join(", ")}`);
  if (wait) {
    const every = mean(wait);
    const text = every >= 60_000 ? `${round(every / 60_000)} min` : every >= 1000 ? `${round(every / 1000)} s` : `${round(every)} ms`;
    parts.push(every > 0 ? `a message every ${text}${wait.form === "constant" ? "" : " on average"}` : "messages without a wait");
  }
  const bytes = profile["payloadBytes"];
  if (typeof bytes === "number") parts.push(`${bytes} bytes`);
  else if (Array.isArray(bytes) && bytes.length === 2) parts.push(bytes[0] === bytes[1] ? `${bytes[0]} bytes` : `${bytes[0]} to ${bytes[1]} bytes`);
  if (typeof profile["qos"] === "number") parts.push(`QoS ${profile["qos"]}`);
  if (String(profile["topicName"] ?? "").includes("{client}")) parts.push("topics of each client's own");
  else if (typeof profile["topics"] === "number") parts.push(`${profile["topics"]} topics`);
  const first = profile["afterConnect"];
  if (isObject(first)) parts.push(`says ${String(first["payload"] ?? "hello")} after connecting`);
  if (Array.isArray(profile["filters"])) parts.push(`follows ${profile["filters"].join(", ")}`);
  return parts.join(", ");
}

const round = (value: number): string => String(Number(value.toPrecision(3)));
