import type { Report } from "./report.ts";

/** What the reader has chosen above the charts. */
export interface Choice {
  /** Index of the prediction whose distribution is shown. */
  setup: number;
  threshold: number;
}

/** What a chart is drawn from. */
export interface Context {
  report: Report;
  /** The attributes data-... of the figure. */
  data: DOMStringMap;
  /** Pixels. */
  width: number;
  choice: Choice;
  /** The values of the figure's own selects, by name. */
  own: ReadonlyMap<string, string>;
}

/** Draws a chart; undefined when the report holds nothing to draw. */
export type Draw = (context: Context) => SVGSVGElement | undefined;
