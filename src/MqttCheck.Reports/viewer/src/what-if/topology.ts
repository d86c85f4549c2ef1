/** Edits of a topology file's text. What they give is judged by the reader of files, as everything is. */
import type { Picture } from "./api.ts";

export type Edit =
  | { kind: "delay"; link: number; milliseconds: number }
  | { kind: "add"; name: string; to: string; milliseconds: number }
  | { kind: "remove"; node: string }
  | { kind: "kill"; node: string; at: number; for: number | null }
  | { kind: "mend"; fault: number };

interface Link {
  between: [string, string];
  delay?: string;
  [key: string]: unknown;
}

interface TopologyFile {
  name: string;
  system: string;
  family?: string;
  nodes?: { name: string; [key: string]: unknown }[];
  links?: Link[];
  sites?: { name: string; at: string; [key: string]: unknown }[];
  faults?: string[];
  [key: string]: unknown;
}

/** Keys that a family says once for all of its links. */
const ofEachLink = ["delay", "rate", "loss", "topics", "cleanSession"] as const;

/** Systems whose nodes are all linked with each other. */
const fullMesh = ["topic-overlay", "transport"];

// Files have no exponents in times.
const plain = (value: number): string => String(Number(value.toFixed(6)));

/** The number that an edit changes: the constant, or the middle of a law that has one; otherwise the mean. */
export function delayOf({ delay, milliseconds }: Picture["links"][number]): number {
  const number = /^(?:constant|normal|exponential):([^m,]+)ms/.exec(delay)?.[1];
  return number === undefined ? milliseconds : Number(number);
}

/** A law with another middle; laws without one become a constant, as with --vary. */
function delayed(law: string, milliseconds: number): string {
  const normal = /^normal:[^,]+,(.+)$/.exec(law)?.[1];
  if (normal !== undefined) return `normal:${plain(milliseconds)}ms,${normal}`;
  return `${law.startsWith("exponential:") && Number(plain(milliseconds)) > 0 ? "exponential" : "constant"}:${plain(milliseconds)}ms`;
}

const link = (from: string, to: string, milliseconds: number): Link => ({ between: [from, to], delay: `constant:${plain(milliseconds)}ms` });

/** A file whose nodes and links can be edited one by one: a family is written out. */
function writtenOut(text: string, { name, system, nodes, links }: Picture): TopologyFile {
  const file = (text === "" ? { name, system, family: name, ...(links[0] && links[0].milliseconds > 0 ? { delay: links[0].delay } : {}) } : JSON.parse(text)) as TopologyFile;
  if (file.family === undefined) return file;
  const { family: _, ...rest } = file;
  const shared: Record<string, unknown> = {};
  for (const key of ofEachLink)
    if (key in rest) {
      shared[key] = rest[key];
      delete rest[key];
    }
  const nameOf = (index: number) => nodes[index]?.name ?? "";
  return {
    ...rest,
    nodes: nodes.map((node) => ({ name: node.name })),
    links: links.map(({ from, to }) => ({ between: [nameOf(from), nameOf(to)], ...shared })),
  } as TopologyFile;
}

/** Whether a fault names a node. */
const names = (fault: string, node: string): boolean => (fault.trim().split(/\s+/)[1] ?? "").split(/[-|,]/).includes(node);

function remove(file: TopologyFile, node: string): void {
  file.nodes = (file.nodes ?? []).filter(({ name }) => name !== node);
  file.links = (file.links ?? []).filter(({ between }) => !between.includes(node));
  if (file.sites) file.sites = file.sites.filter(({ at }) => at !== node);
  if (file.faults) file.faults = file.faults.filter((fault) => !names(fault, node));
}

function add(file: TopologyFile, edit: Edit & { kind: "add" }): void {
  const others = (file.nodes ?? []).map(({ name }) => name);
  const ends = fullMesh.includes(file.system) ? others : [edit.to];
  file.nodes = [...(file.nodes ?? []), { name: edit.name }];
  file.links = [...(file.links ?? []), ...ends.map((end) => link(end, edit.name, edit.milliseconds))];
  // Where clients are at sites, a node without one would have none.
  if (file.sites && file.sites.length > 0) file.sites = [...file.sites, { name: edit.name, at: edit.name, publishers: 1, subscribers: 1 }];
}

/**
 * The text of a topology file after an edit.
 * @param text The text so far; empty for the family that the picture is of.
 * @param faults Faults that stand in place of the file's own; empty for those.
 */
export function edited(text: string, picture: Picture, faults: readonly string[], edit: Edit): string {
  const file = writtenOut(text, picture);
  if (faults.length > 0) file.faults = [...faults];
  switch (edit.kind) {
    case "delay": {
      const changed = file.links?.[edit.link];
      if (changed) changed.delay = delayed(picture.links[edit.link]?.delay ?? "", edit.milliseconds);
      break;
    }
    case "add":
      add(file, edit);
      break;
    case "remove":
      remove(file, edit.node);
      break;
    case "kill":
      file.faults = [...(file.faults ?? []), `kill ${edit.node} at ${plain(edit.at)}s${edit.for === null ? "" : ` for ${plain(edit.for)}s`}`];
      break;
    case "mend":
      file.faults = (file.faults ?? []).filter((_, index) => index !== edit.fault);
      break;
  }
  return JSON.stringify(file, null, 2);
}
