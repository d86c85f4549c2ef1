import { element, make } from "./dom.ts";
import { forms, groupsOf, isObject, law, lawJson, plain, type Group, type Json, type Profile } from "./profile.ts";

const kinds = ["connect", "disconnect", "publish", "subscribe", "unsubscribe"] as const;

/** A field of a card: where it stands in the profile's document, and how to write it there. */
interface Field {
  input: HTMLInputElement | HTMLSelectElement;
  write: () => void;
}

// An empty box is a missing key, and the server's reader says so.
const numberOf = (input: HTMLInputElement): Json | undefined => (input.value === "" ? undefined : Number(input.value));

function put(holder: Profile, key: string, value: Json | undefined): void {
  if (value === undefined) delete holder[key];
  else holder[key] = value;
}

function box(fields: Field[], path: string, text: string, value: Json | undefined, write: (input: HTMLInputElement) => void, step = "any"): HTMLElement {
  const input = make("input", { type: "number", step, "data-path": path, value: value === undefined ? "" : String(value) });
  fields.push({ input, write: () => write(input) });
  return make("label", {}, text, input);
}

function choice(fields: Field[], path: string, text: string, options: readonly string[], value: string, write: (value: string) => void): HTMLElement {
  const select = make("select", { "data-path": path }, ...options.map((option) => make("option", { value: option, ...(option === value ? { selected: "" } : {}) }, option)));
  fields.push({ input: select, write: () => write(select.value) });
  return make("label", {}, text, select);
}

function waitRow(fields: Field[], path: string, profile: Profile): HTMLElement | undefined {
  const wait = law(profile["waitMilliseconds"]);
  if (!wait) return undefined;
  let form = wait.form;
  const inputs: HTMLInputElement[] = [];
  const write = () => {
    const wanted = forms[form]?.length ?? 1;
    const numbers: Json[] = inputs.slice(0, wanted).map((input) => numberOf(input) ?? null);
    while (numbers.length < wanted) numbers.push(form === "lognormal" ? 0.5 : form === "normal" ? 0 : (numbers[0] ?? 0));
    profile["waitMilliseconds"] = lawJson(form, numbers);
  };
  return make("div", { class: "row" },
    choice(fields, `${path}waitMilliseconds`, "Wait", Object.keys(forms), wait.form, (value) => { form = value; write(); }),
    ...wait.numbers.map((number, index) => box(fields, `${path}waitMilliseconds.${wait.form}[${index}]`, forms[wait.form]?.[index] ?? "", number, (input) => { inputs[index] = input; write(); })));
}

function sizeBoxes(fields: Field[], path: string, profile: Profile): HTMLElement[] {
  const bytes = profile["payloadBytes"];
  if (typeof bytes === "number") return [box(fields, `${path}payloadBytes`, "Payload bytes", bytes, (input) => put(profile, "payloadBytes", numberOf(input)), "1")];
  if (!Array.isArray(bytes) || bytes.length !== 2 || !bytes.every((one) => typeof one === "number")) return [];
  const sizes: Json[] = bytes;
  const place = (index: number) => (input: HTMLInputElement) => { sizes[index] = numberOf(input) ?? null; };
  return [box(fields, `${path}payloadBytes[0]`, "Bytes from", bytes[0], place(0), "1"), box(fields, `${path}payloadBytes[1]`, "Bytes to", bytes[1], place(1), "1")];
}

function instantBoxes(fields: Field[], path: string, profile: Profile): HTMLElement[] {
  const instants = profile["simultaneous"];
  if (!isObject(instants)) return [];
  const seconds = (text: string, key: string) =>
    box(fields, `${path}simultaneous.${key}`, text, instants[key], (input) => put(instants, key, numberOf(input)));
  return [seconds("Seconds between instants", "everySeconds"), seconds("Jitter in seconds", "jitterSeconds")];
}

function card(fields: Field[], { title, holder, profile, path }: Group): HTMLElement {
  const weights = profile["weights"] as Profile | undefined;
  const whole = (text: string, key: string) =>
    box(fields, path + key, text, profile[key], (input) => put(profile, key, numberOf(input)), "1");
  const wait = waitRow(fields, path, profile);
  const others: HTMLElement[] = [...sizeBoxes(fields, path, profile), whole("Topics", "topics"), whole("Messages of a sequence", "sequenceLength"), ...instantBoxes(fields, path, profile)];
  const qos = profile["qos"] ?? 1;
  if (typeof qos === "number")
    others.push(choice(fields, `${path}qos`, "QoS", ["0", "1", "2", ...(qos === 0 || qos === 1 || qos === 2 ? [] : [String(qos)])], String(qos), (value) => put(profile, "qos", Number(value))));
  return make("fieldset", {},
    make("legend", {}, title),
    make("p", { class: "plain" }, plain(profile)),
    ...(holder ? [make("div", { class: "row" }, box(fields, path.replace(/profile\.$/, "share"), "Share of the clients", holder["share"], (input) => put(holder, "share", numberOf(input))))] : []),
    ...(wait ? [wait] : []),
    ...(weights && typeof weights === "object" && !Array.isArray(weights)
      ? [make("div", { class: "row", role: "group", "aria-label": `How often each kind of message, ${title}` },
        ...kinds.map((kind) => box(fields, `${path}weights.${kind}`, kind, weights[kind], (input) => put(weights, kind, numberOf(input)))))]
      : []),
    make("div", { class: "row" }, ...others));
}

/** Cards for the groups of a profile; a change writes all fields of its card and calls back. */
export function cards(document: Profile, changed: (again: boolean) => void): { elements: HTMLElement[]; writeAll: () => void } {
  const fields: Field[] = [];
  const elements = groupsOf(document).map((group) => card(fields, group));
  const writeAll = () => { for (const field of fields) field.write(); };
  for (const { input } of fields)
    input.addEventListener("input", () => {
      writeAll();
      // A select may change which boxes there are.
      changed(input instanceof HTMLSelectElement);
    });
  return { elements, writeAll };
}

/** The input for a path in the profile: its own, or the one of the largest part that has one. */
export function inputAt(path: string): HTMLInputElement | HTMLSelectElement | undefined {
  const inputs = [...element("cards").querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-path]")];
  for (let part = path; part !== ""; part = part.replace(/[.[]?[^.[]*$/, "")) {
    const found = inputs.find(({ dataset }) => dataset["path"] === part) ?? inputs.find(({ dataset }) => dataset["path"]?.startsWith(`${part}[`));
    if (found) return found;
  }
  return undefined;
}

/** What the form makes of a document when nobody touches it: for a test, which compares it with what the reader of files makes of it. */
export function roundTrip(document: Profile): Profile {
  const copy = structuredClone(document);
  cards(copy, () => undefined).writeAll();
  return copy;
}
