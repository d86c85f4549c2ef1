import { Refused, type Finding } from "./api.ts";
import { make } from "./dom.ts";

export type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The input for the path of a finding; undefined for none. */
export type InputOf = (path: string) => Input | undefined;

/** What the form calls an input; examples and hints behind a comma are no part of its name. */
function nameOf(input: Input): string {
  const label = input.labels?.[0];
  const words = label ? [...label.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent).join(" ") : input.getAttribute("aria-label");
  return (words ?? "").trim().split(/[,;] /)[0] ?? "";
}

/** What was refused, beside the inputs that it is about. */
export class Mistakes {
  private shown: { input: Input; place: HTMLElement }[] = [];

  constructor(private readonly name: string, private readonly inputOf: InputOf) {}

  clear(): void {
    for (const { input, place } of this.shown) {
      input.removeAttribute("aria-invalid");
      input.removeAttribute("aria-describedby");
      place.remove();
    }
    this.shown = [];
  }

  /** Shows the findings of a refusal. Returns all of them, in the words of the form. */
  show(refused: unknown, inputOf = this.inputOf): string {
    this.clear();
    if (!(refused instanceof Refused)) return String(refused);
    return refused.findings.length === 0 ? refused.message : [...new Set(refused.findings.map((finding) => this.mark(finding, inputOf)))].join(" ");
  }

  private mark({ path, text }: Finding, inputOf: InputOf): string {
    const input = inputOf(path);
    const words = input ? `${nameOf(input)}: ${text}` : path === "" ? text : `${path}: ${text}`;
    const sentence = /[.!?]$/.test(words) ? words : `${words}.`;
    if (!input) return sentence;
    const before = this.shown.find((one) => one.input === input);
    if (before) before.place.append(make("br"), sentence);
    else this.put(input, sentence);
    return sentence;
  }

  private put(input: Input, sentence: string): void {
    const place = make("p", { class: "wrong", id: `${this.name}-wrong-${this.shown.length}` }, sentence);
    (input.closest(".field, .row, .buttons") ?? input).after(place);
    input.setAttribute("aria-invalid", "true");
    input.setAttribute("aria-describedby", place.id);
    const details = input.closest("details");
    if (details) details.open = true;
    this.shown.push({ input, place });
  }
}
