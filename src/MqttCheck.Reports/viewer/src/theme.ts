import type { Kind, VerdictKind } from "./report.ts";

/** Colours are CSS variables of the page, so a change between light and dark needs no redraw. */
export const ink = "var(--ink)";
export const soft = "var(--soft)";
export const line = "var(--line)";
export const surface = "var(--surface)";
export const accent = "var(--accent)";

const seriesColours = ["var(--s1)", "var(--s2)", "var(--s3)", "var(--s4)", "var(--s5)"] as const;
const seriesSymbols = ["circle", "square", "triangle", "diamond", "wye"] as const;

export type Shape = (typeof seriesSymbols)[number];

/** The colour of a series; a marker shape and a direct label always say the same without colour. */
export const colour = (index: number): string => seriesColours[index % seriesColours.length] ?? ink;

export const symbol = (index: number): Shape => seriesSymbols[index % seriesSymbols.length] ?? "circle";

const kinds: readonly Kind[] = ["connect", "disconnect", "publish", "subscribe", "unsubscribe"];

const kindSeries = (kind: Kind): number => [1, 4, 0, 2, 3][kinds.indexOf(kind)] ?? 0;

export const kindColour = (kind: Kind): string => colour(kindSeries(kind));

export const kindSymbol = (kind: Kind): Shape => symbol(kindSeries(kind));

export function verdictColour(kind: VerdictKind): string {
  return kind === "confirmed" || kind === "not-worse" ? "var(--good)" : kind === "worse" ? "var(--bad)" : "var(--warn)";
}

/** The shape of a measurement: what its colour says of the verdict. */
export const verdictSymbol = (kind: VerdictKind): Shape =>
  kind === "confirmed" || kind === "not-worse" ? "circle" : kind === "worse" || kind === "better" ? "square" : "wye";

/** Three significant digits without an exponent, thousands separated. */
export function number(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const decimals = Math.min(Math.max(2 - Math.floor(Math.log10(Math.abs(value))), 0), 6);
  return value.toLocaleString("en-US", { maximumFractionDigits: decimals });
}

export const milliseconds = (value: number): string => `${number(value)} ms`;

/** As in the tables: three decimals, and never 0 or 1 for what is neither. */
export function probability(p: number): string {
  return p > 0.9995 && p < 1 ? "> 0.999" : p > 0 && p < 0.0005 ? "< 0.001" : p.toFixed(3);
}

export const range = (lower: number, upper: number): string => `${lower.toFixed(3)} to ${upper.toFixed(3)}`;
