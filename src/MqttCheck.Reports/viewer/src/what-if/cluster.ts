import { ask, type Cluster, type Picture } from "./api.ts";
import { Asker } from "./asker.ts";
import { element, make } from "./dom.ts";
import { Mistakes } from "./mistakes.ts";
import { showCluster } from "./pairs.ts";
import { TopologyView } from "./picture.ts";
import { delayOf, edited, type Edit } from "./topology.ts";

/** What the address holds of the clusters' part. */
export interface ClusterAsked {
  family: string;
  delay: string;
  topology: string;
  faults: string;
  properties: string;
  vary: string;
}

/** How long keys and moves of a slider are gathered before they are an edit, in ms. */
const gather = 250;

const fields = ["family", "delay", "topology", "faults", "properties", "vary"] as const;
type Field = HTMLInputElement | HTMLTextAreaElement;
const field = (id: (typeof fields)[number]): Field => element<Field & HTMLElement>(id);

/** The part of the page about clusters: a question, the picture that edits it, and the answer. */
export class ClusterPart {
  private picture: Picture | undefined;
  private chosen = "";
  private readonly view: TopologyView;
  private work: Promise<void> = Promise.resolve();
  private readonly asker = new Asker();
  private readonly mistakes = new Mistakes("cluster", (path) => {
    const id = { delayMilliseconds: "delay", fault: "faults" }[path] ?? path;
    return fields.some((one) => one === id) ? field(id as (typeof fields)[number]) : undefined;
  });
  private readonly waiting = new Map<number, { timer: number; milliseconds: number }>();

  constructor(private readonly seed: () => number, private readonly remember: () => void) {
    this.view = new TopologyView(element("picture"), {
      delay: (link, milliseconds, isDone) => this.delay(link, milliseconds, isDone ? 0 : gather),
      choose: (node) => this.choose(node),
    });
    this.connect();
  }

  /** What is asked; undefined while it is what the page begins with. */
  get asked(): ClusterAsked | undefined {
    if (fields.every((id) => field(id).value === field(id).defaultValue)) return undefined;
    return Object.fromEntries(fields.map((id) => [id, field(id).value])) as unknown as ClusterAsked;
  }

  /** Begins with the question of an address, or with the page's own. */
  async begin(asked: ClusterAsked | undefined): Promise<void> {
    if (asked) for (const id of fields) field(id).value = String(asked[id] ?? "");
    await this.draw();
    if (asked && this.picture) this.predict();
  }

  predict(): void {
    this.mistakes.clear();
    this.stale();
    element("cluster-status").textContent = "Simulating ...";
    const question = { ...this.named, faults: this.lines("faults"), properties: this.lines("properties"), vary: field("vary").value.trim(), seed: this.seed() };
    this.asker.ask("/api/clusters", (session, request) => ({ session, request, ...question }),
      (name, value) => {
        if (name === "waiting") element("cluster-status").textContent = (value as { reason: string }).reason;
        if (name !== "cluster") return;
        showCluster(value as Cluster);
        delete element("cluster").dataset["stale"];
      },
      (refused) => { element("cluster-status").textContent = `Not simulated. ${this.mistakes.show(refused)}`; },
      () => { element("cluster-status").textContent = "Simulated."; });
  }

  private lines(id: "faults" | "properties"): string[] {
    return field(id).value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  }

  /** What stands below the form answers another question than the form's. */
  private stale(): void {
    if (element("cluster").childElementCount > 0) element("cluster").dataset["stale"] = "";
  }

  private get named(): { family: string; delayMilliseconds: number } | { topology: string } {
    const file = field("topology").value.trim();
    return file === "" ? { family: field("family").value.trim(), delayMilliseconds: Number(field("delay").value) } : { topology: file };
  }

  private say(message: string): void {
    element("edit-refusal").textContent = message;
    element("edit-refusal").hidden = message === "";
  }

  /** Draws what the fields name, behind the edits that are under way. */
  private draw(): Promise<void> {
    this.work = this.work.then(async () => {
      try {
        const picture = await ask<Picture>("/api/topologies", this.named);
        this.mistakes.clear();
        this.show(picture);
        this.say("");
      } catch (error) {
        // Nothing is left that an edit could be made of.
        this.picture = undefined;
        for (const id of ["picture", "delays", "node", "file-faults"]) element(id).replaceChildren();
        this.say("");
        element("cluster-status").textContent = `Not drawn. ${this.mistakes.show(error)}`;
      }
    });
    return this.work;
  }

  /** Edits come one after the other: each is of what the one before left. */
  private edit(edit: Edit): Promise<void> {
    if (edit.kind !== "delay") for (const link of [...this.waiting.keys()]) void this.delayed(link);
    this.work = this.work.then(() => this.change(edit));
    return this.work;
  }

  private async change(edit: Edit): Promise<void> {
    if (!this.picture) return;
    try {
      const text = edited(field("topology").value.trim(), this.picture, this.lines("faults"), edit);
      const picture = await ask<Picture>("/api/topologies", { topology: text });
      // The reader of files accepts it: only now is it the question.
      field("topology").value = text;
      field("faults").value = "";
      this.say("");
      this.show(picture);
      this.remember();
      this.predict();
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error));
      this.show(this.picture);
    }
  }

  private delay(link: number, milliseconds: number, after: number): void {
    // A number that is being typed is left as it is.
    this.showDelay(link, milliseconds, document.activeElement ?? undefined);
    window.clearTimeout(this.waiting.get(link)?.timer);
    const timer = window.setTimeout(() => void this.delayed(link), after);
    this.waiting.set(link, { timer, milliseconds });
  }

  private delayed(link: number): Promise<void> {
    const asked = this.waiting.get(link);
    if (!asked) return this.work;
    window.clearTimeout(asked.timer);
    this.waiting.delete(link);
    return this.edit({ kind: "delay", link, milliseconds: asked.milliseconds });
  }

  private showDelay(link: number, milliseconds: number, source?: Element): void {
    this.view.delay(link, milliseconds);
    for (const input of element("delays").querySelectorAll<HTMLInputElement>(`[data-link="${link}"]`))
      if (input !== source) input.value = String(milliseconds);
  }

  private choose(node: string): void {
    this.chosen = node;
    element<HTMLSelectElement>("node").value = node;
    this.view.chosen(node);
    this.nameNode();
  }

  private nameNode(): void {
    for (const id of ["remove-node", "kill-node"] as const) element(id).textContent = `${id === "kill-node" ? "Kill" : "Remove"} ${this.chosen}`;
    element("add-node").textContent = `Add it, linked to ${this.chosen}`;
  }

  private show(picture: Picture): void {
    const before = this.picture;
    this.picture = picture;
    const isSame = before !== undefined && JSON.stringify([before.nodes, before.links.map(({ from, to }) => [from, to]), before.faults]) === JSON.stringify([picture.nodes, picture.links.map(({ from, to }) => [from, to]), picture.faults]);
    if (!isSame) this.rebuild(picture);
    // A value that is not yet asked for is newer than what came back.
    picture.links.forEach((link, index) => this.showDelay(index, this.waiting.get(index)?.milliseconds ?? delayOf(link), document.activeElement ?? undefined));
    element("discard").hidden = field("topology").value.trim() === "";
  }

  private rebuild(picture: Picture): void {
    for (const { timer } of this.waiting.values()) window.clearTimeout(timer);
    this.waiting.clear();
    const { nodes } = picture;
    if (!nodes.some(({ name }) => name === this.chosen)) this.chosen = nodes[0]?.name ?? "";
    this.view.show(picture, this.chosen);
    element("node").replaceChildren(...nodes.map(({ name, sites }) => make("option", { value: name }, sites.length > 0 ? `${name} (${sites.join(", ")})` : name)));
    this.choose(this.chosen);
    let free = nodes.length + 1;
    while (nodes.some(({ name }) => name === `n${free}`)) free++;
    element<HTMLInputElement>("new-node").value = `n${free}`;
    element("delays").replaceChildren(...picture.links.map((link, index) => this.row(picture, link, index)));
    element("file-faults").replaceChildren(...picture.faults.map((fault, index) => {
      const mend = make("button", { type: "button" }, "Remove", make("span", { class: "unseen" }, `: ${fault}`));
      mend.addEventListener("click", () => void this.edit({ kind: "mend", fault: index }).then(() => element("kill-node").focus()));
      return make("li", {}, `${fault} `, mend);
    }));
    element("file-faults").hidden = picture.faults.length === 0;
  }

  private row({ nodes, links }: Picture, { from, to }: Picture["links"][number], index: number): HTMLElement {
    const name = `${nodes[from]?.name} – ${nodes[to]?.name}`;
    const box = make("input", { type: "number", min: "0", max: "3600000", step: "any", "data-link": String(index), "aria-label": `Delay of ${name} in ms` });
    const inputs = [box];
    // So many links are found faster in a list of numbers.
    if (links.length <= 40) inputs.unshift(make("input", { type: "range", min: "0", max: "200", step: "1", "data-link": String(index), "aria-label": `Delay of ${name} in ms, up to 200` }));
    for (const input of inputs)
      input.addEventListener("input", () => {
        const milliseconds = Number(input.value);
        if (input.value === "" || !(milliseconds >= 0)) return;
        this.delay(index, milliseconds, gather);
      });
    return make("li", {}, make("span", {}, name), ...inputs);
  }

  private connect(): void {
    element("editor").addEventListener("submit", (event) => event.preventDefault());
    element<HTMLFormElement>("cluster-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.remember();
      this.predict();
    });
    for (const id of fields) {
      field(id).addEventListener("input", () => { this.asker.end(); this.stale(); if (element("cluster-status").textContent !== "") element("cluster-status").textContent = "Changed: not simulated yet."; });
      field(id).addEventListener("change", () => { this.remember(); if (id === "family" || id === "delay" || id === "topology") void this.draw(); });
    }
    const file = element<HTMLInputElement>("topology-file");
    file.addEventListener("change", () => void file.files?.[0]?.text().then((text) => { field("topology").value = text; this.remember(); return this.draw(); }));
    element<HTMLSelectElement>("node").addEventListener("change", () => this.choose(element<HTMLSelectElement>("node").value));
    element("remove-node").addEventListener("click", () => void this.edit({ kind: "remove", node: this.chosen }));
    element("kill-node").addEventListener("click", () => {
      const time = (id: string) => element<HTMLInputElement>(id).value;
      void this.edit({ kind: "kill", node: this.chosen, at: Number(time("kill-at")), for: time("kill-for") === "" ? null : Number(time("kill-for")) });
    });
    element("add-node").addEventListener("click", () => void this.edit({
      kind: "add", name: element<HTMLInputElement>("new-node").value.trim(), to: this.chosen, milliseconds: Number(element<HTMLInputElement>("new-delay").value),
    }));
    element("discard").addEventListener("click", () => {
      // Faults that were asked for stay asked for.
      if (this.picture) field("faults").value = this.picture.faults.join("\n");
      field("topology").value = "";
      this.remember();
      element("node").focus();
      void this.draw();
    });
  }
}
