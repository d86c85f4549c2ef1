import { numbers, type Estimates, type View } from "./chart.ts";

export interface Estimate {
  p: number;
  lower: number;
  upper: number;
}

/** The share of ascending values below a threshold; what is not finite counts as infinity. */
export function shareBelow(sorted: readonly number[], threshold: number): number {
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
 * The probability that a sequence of a setup is in time: of a predicted point what the prediction says, with its interval, so that a point has one
 * number everywhere; elsewhere that of the simulation, with its band. Undefined where the report cannot tell.
 */
export function inTime(view: Pick<View, "columns">, setup: Estimates, threshold: number): Estimate | undefined {
  const known = numbers(view, setup.thresholds).indexOf(threshold);
  if (known >= 0) {
    const [p, lower, upper] = [setup.probabilities, setup.lowers, setup.uppers].map((column) => numbers(view, column)[known] ?? NaN) as [number, number, number];
    return { p, lower, upper };
  }
  const sorted = numbers(view, setup.sorted);
  if (sorted.length === 0) return undefined;
  const p = shareBelow(sorted, threshold);
  const half = setup.halfWidth ?? 0;
  return { p, lower: Math.max(p - half, 0), upper: Math.min(p + half, 1) };
}

/** The thresholds a slider stops at: a logarithmic grid over all latencies, and every threshold that the report names. */
export function thresholdSteps(latencies: readonly number[], named: readonly number[]): number[] {
  const known = latencies.filter((value) => value > 0);
  if (known.length === 0) return [...named];
  const steps = new Set(named);
  const count = 200;
  const from = Math.log(known.reduce((low, value) => Math.min(low, value)) * 0.9);
  const to = Math.log(known.reduce((high, value) => Math.max(high, value)) * 1.1);
  for (let i = 0; i <= count; i++) steps.add(Number(Math.exp(from + ((to - from) * i) / count).toPrecision(i === count ? 4 : 3)));
  return [...steps].sort((a, b) => a - b);
}
