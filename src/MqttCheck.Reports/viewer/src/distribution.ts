import type { Maybe, Prediction } from "./report.ts";

export interface Estimate {
  p: number;
  lower: number;
  upper: number;
}

/** The share of ascending values below a threshold; null counts as infinity. */
export function shareBelow(sorted: readonly Maybe[], threshold: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? Infinity) < threshold) low = middle + 1;
    else high = middle;
  }
  return low / sorted.length;
}

/**
 * The probability that a sequence of a simulated setup is in time: of a predicted point what the prediction says, with its interval, so that a point has
 * one number everywhere; elsewhere that of the simulation, with its band. Undefined where the report cannot tell.
 */
export function inTime(prediction: Prediction, threshold: number): Estimate | undefined {
  const point = prediction.points.find((candidate) => candidate.thresholdMilliseconds === threshold);
  if (point) return { p: point.probability, lower: point.interval.lower, upper: point.interval.upper };
  const sorted = prediction.sortedWorstMilliseconds;
  if (sorted.length === 0) return undefined;
  const p = shareBelow(sorted, threshold);
  return { p, lower: Math.max(p - prediction.bandHalfWidth, 0), upper: Math.min(p + prediction.bandHalfWidth, 1) };
}

/** The thresholds a slider stops at: a logarithmic grid over all latencies, and every threshold that the report names. */
export function thresholdSteps(predictions: readonly Prediction[], named: readonly number[]): number[] {
  let low = Infinity;
  let high = 0;
  for (const { sortedWorstMilliseconds: sorted } of predictions) {
    for (const value of sorted) {
      if (value === null || value <= 0) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (low > high) return [...named];
  const steps = new Set(named);
  const count = 200;
  const from = Math.log(low * 0.9);
  const to = Math.log(high * 1.1);
  for (let i = 0; i <= count; i++) steps.add(Number(Math.exp(from + ((to - from) * i) / count).toPrecision(i === count ? 4 : 3)));
  return [...steps].sort((a, b) => a - b);
}
