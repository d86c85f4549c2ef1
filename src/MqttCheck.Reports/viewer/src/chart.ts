/**
 * A chart as the page holds it: what Marks/Chart.cs describes. What is 0, false, none or the first of its kind (the role ink, the shape line) is left out;
 * a number that is not finite is null.
 */
export interface Chart {
  x: Axis[];
  y: Axis;
  height: number;
  marks: Mark[];
  legend: LegendKey[];
  notes: { text: string; role?: string }[];
  endNames: EndName[];
  hover?: "across" | "row";
}

export interface Axis {
  scale: { low?: number; high?: number; isLogarithmic?: boolean };
  label?: string;
  ticks: Tick[][];
  names?: string[];
  details?: string[];
  hasGrid?: boolean;
  when?: Record<string, string>;
}

export interface Tick {
  at?: number;
  text: string;
}

export interface EndName {
  text: string;
  y?: number;
  role?: string;
}

export type Shape = "circle" | "square" | "triangle" | "diamond" | "wye" | "times";

export interface LegendKey {
  text: string;
  role?: string;
  shape?: "dashed" | "band" | "box" | "full" | "hollow";
  symbol?: Shape;
}

export type Maybe = number | null;

/** Numbers, or the place of a column that is written once for all charts of the page. */
export type Column = Maybe[] | number;

export interface Mark {
  shape?: "steps" | "band" | "boxes" | "segments" | "symbols" | "dots" | "texts" | "distribution" | "reading" | "level";
  role?: string;
  x: Column;
  y: Column;
  x2?: Column;
  y2?: Column;
  opacity: number;
  size: number;
  isDashed?: boolean;
  symbol?: Shape;
  isHollow?: boolean;
  dx?: number;
  isJittered?: boolean;
  halfWidth?: number;
  texts?: string[];
  tips?: string[];
  tip?: string;
  of?: Estimates[];
  except?: Column;
  when?: Record<string, string>;
}

/** The probability of a setup to be in time at any threshold: Marks/Estimates.cs. */
export interface Estimates {
  sorted: Column;
  halfWidth?: number;
  thresholds: Column;
  probabilities: Column;
  lowers: Column;
  uppers: Column;
}

/** The charts of a page, by the ids of their figures: Page/PageCharts.cs. */
export interface PageCharts {
  figures: Record<string, Chart>;
  /** By the place of the prediction in the report. */
  setups: Estimates[];
  /** The setup and threshold that the page opens with; without a distribution, neither. */
  setup?: number;
  threshold: Maybe;
  /** The thresholds that the report names. */
  named: Column;
  /** Numbers, or the path to them in the document. */
  columns: (Maybe[] | string)[];
}

/** What the reader has chosen, and the columns of the page. */
export interface View {
  columns: readonly Maybe[][];
  chosen: ReadonlyMap<string, string>;
  threshold: number;
}

/** The numbers of a column; NaN for what is not finite. */
export const numbers = (view: Pick<View, "columns">, column: Column | undefined): number[] =>
  ((typeof column === "number" ? view.columns[column] : column) ?? []).map((value) => value ?? NaN);

/** Whether something is shown under what is chosen; an empty choice shows all. */
export const isShown = (view: View, when: Record<string, string> | undefined): boolean =>
  Object.entries(when ?? {}).every(([name, value]) => (view.chosen.get(name) ?? "") === "" || view.chosen.get(name) === value);
