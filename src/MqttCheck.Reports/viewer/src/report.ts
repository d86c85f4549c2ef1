/** The document in the page: what JsonReport.cs writes. A number that is not finite is null. */
export interface ReportDocument {
  schema: number;
  report: Report;
}

export type Maybe = number | null;
export type Kind = "connect" | "disconnect" | "publish" | "subscribe" | "unsubscribe";
export type VerdictKind = "confirmed" | "not-worse" | "worse" | "better" | "withheld" | "partial";

export interface Report {
  log: Log | null;
  learning: { calibration: Calibration | null } | null;
  predictions: Prediction[];
  verdicts: Verdict[];
  /** The verdicts of the run before on the same points. */
  previousVerdicts?: Verdict[];
}

export interface Interval {
  lower: number;
  upper: number;
}

export interface Point {
  profile: string;
  clients: number;
  thresholdMilliseconds: number;
  probability: number;
  interval: Interval;
}

export interface Prediction {
  profile: string;
  clients: number;
  confidence: number;
  bandHalfWidth: number;
  /** Ascending; null, at the end, is a sequence that never ended well. */
  sortedWorstMilliseconds: Maybe[];
  points: Point[];
}

export interface Verdict {
  point: Point;
  kind: VerdictKind;
  /** What each run counted; a file of an earlier version has none. */
  runCounts?: { successes: number; samples: number }[];
  countsAsPredicted: Interval | null;
  samples: number;
  measuredProbability: Maybe;
  measuredInterval: Interval | null;
  paths: EvidencePath[];
}

export interface EvidencePath {
  name: string;
  samples: number[];
  logRatios: Maybe[];
  lowerBound: Maybe;
  lowerMeaning: string;
  upperBound: Maybe;
  upperMeaning: string;
}

export interface Calibration {
  pitCounts: number[];
  quantiles: QuantilePair[];
  quantilesByKind: { kind: Kind; quantiles: QuantilePair[] }[];
  residuals: Residuals | null;
}

export interface Residuals {
  predictedMilliseconds: Maybe[];
  scores: Maybe[];
  kinds: Kind[];
  features: { feature: string; values: Maybe[] }[];
}

export interface QuantilePair {
  probability: number;
  predictedMilliseconds: Maybe;
  observedMilliseconds: Maybe;
  lowerMilliseconds: Maybe;
  upperMilliseconds: Maybe;
}

export interface Log {
  binEdgesMilliseconds: number[];
  kinds: KindSummary[];
  correlation: { columns: string[]; coefficients: Maybe[][] } | null;
  scatter: Scatter | null;
  overTime: OverTime | null;
}

/** What happened in each of equally long parts of the log, one run after the other. */
export interface OverTime {
  binSeconds: number;
  exchanges: number[];
  errors: number[];
  medianMilliseconds: Maybe[];
  p99Milliseconds: Maybe[];
  runStartSeconds: number[];
}

export interface KindSummary {
  kind: Kind;
  count: number;
  medianMilliseconds: Maybe;
  p99Milliseconds: Maybe;
  binCounts: number[];
}

export interface Scatter {
  columns: string[];
  groups: { kind: Kind; latencyMilliseconds: number[]; values: number[][] }[];
}
