// Compares designs of the interval of a prediction: by simulation of trainings, and on calibrations that were measured.
//
//   node designs.mjs simulate [REPETITIONS]     coverage and mean half width, for laws of errors, numbers of cases and levels
//   node designs.mjs live DIRECTORY ...         each was written by `mqttcheck calibrate --from LOGS --out DIRECTORY`
//
// It follows src/MqttCheck/Latency/ReplayErrorLaw.cs and ReplayQuality.cs, with the degrees of freedom and the rule as parameters.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const shape = p => Math.sqrt(Math.max(0, 4 * p * (1 - p)));
const LEAST = 0.005, STEPS = 45;
const SCALES = Array.from({ length: STEPS + 1 }, (_, i) => LEAST ** (1 - i / STEPS));

function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const y = 1 - ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x);
  return x < 0 ? -y : y;
}
function chiSquaredBelow(x, degrees) {
  const three = erf(Math.sqrt(x / 2)) - Math.sqrt(2 * x / Math.PI) * Math.exp(-x / 2);
  return degrees === 3 ? three : three - x / 3 * Math.sqrt(2 * x / Math.PI) * Math.exp(-x / 2);
}
function bisect(low, high, isBelow) {
  for (let i = 0; i < 45; i++) { const middle = (low + high) / 2; if (isBelow(middle)) low = middle; else high = middle; }
  return (low + high) / 2;
}
const nodes = (degrees, count) => Array.from({ length: count }, (_, i) => degrees / bisect(0, 200, x => chiSquaredBelow(x, degrees) < (i + 0.5) / count));
const NODES = { 3: [nodes(3, 9), nodes(3, 45)], 5: [nodes(5, 9), nodes(5, 45)] };
const normalQuantile = level => bisect(0, 10, x => erf(x / Math.SQRT2) < level);

// The cases' points with their weights at a load and a threshold.
function relevant(cases, active, threshold) {
  const company = a => Math.max(0, a - 1) + 0.1;
  const distance = (one, other, width) => (Math.log(one / other) / Math.log(width)) ** 2;
  const least = threshold >= 0.5 && cases.some(c => c.points.some(p => p.milliseconds >= 0.5)) ? 0.5 : 0;
  const points = [];
  for (const one of cases) {
    const kept = one.points.filter(p => p.milliseconds >= least);
    const near = kept.map(p => 2 ** -distance(p.milliseconds, threshold, 5));
    const relevance = 2 ** -distance(company(one.meanActive), company(active), 3) * Math.max(0, ...near) / near.reduce((a, b) => a + b, 0);
    kept.forEach((p, i) => points.push({ ...p, weight: relevance * near[i] + 1 / cases.length / kept.length }));
  }
  return points;
}

function posterior(points, degrees) {
  const logs = SCALES.map(scale => {
    let sum = 0;
    for (const p of points) {
      let density = 0;
      for (const node of NODES[degrees][0]) {
        const variance = Math.max(1e-12, scale * scale * shape(p.observed) * node + p.noise * p.noise);
        density += Math.exp(-p.error * p.error / (2 * variance)) / Math.sqrt(variance);
      }
      sum += p.weight * Math.log(Math.max(density, Number.MIN_VALUE));
    }
    return sum;
  });
  const most = Math.max(...logs);
  const weights = logs.map(log => Math.exp(log - most));
  weights[0] /= 2; weights[STEPS] /= 2;
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map(weight => weight / sum);
}

function wholeLaw(degrees) {
  return (cases, active, threshold, at, other, level) => {
    const weights = posterior(relevant(cases, active, threshold), degrees);
    const parts = [];
    let total = 0;
    weights.forEach((weight, i) => {
      if (weight < 1e-6) return;
      for (const node of NODES[degrees][1]) {
        parts.push([weight, Math.sqrt(2 * Math.max(1e-12, SCALES[i] ** 2 * node * at + other))]);
        total += weight;
      }
    });
    return bisect(0, 10, half => parts.reduce((sum, [weight, root]) => sum + weight * erf(half / root), 0) / total < level);
  };
}

function medianScale(cases, active, threshold, at, other, level) {
  const weights = posterior(relevant(cases, active, threshold), 5);
  let sum = 0, i = 0;
  while (sum + weights[i] < 0.5) sum += weights[i++];
  return normalQuantile(level) * Math.sqrt(SCALES[i] ** 2 * at + other);
}

// Of each case the point nearest to the threshold; the ceil(level (n + 1))-th smallest error, the largest where there are fewer cases.
function conformal(cases, active, threshold, at, other, level) {
  const scores = cases.map(one => {
    const nearest = one.points.reduce((a, b) => Math.abs(Math.log(b.milliseconds / threshold)) < Math.abs(Math.log(a.milliseconds / threshold)) ? b : a);
    return Math.abs(nearest.error) / Math.sqrt(Math.max(1e-3, shape(nearest.observed)));
  }).sort((a, b) => a - b);
  return scores[Math.min(scores.length, Math.ceil(level * (scores.length + 1) - 1e-9)) - 1] * Math.sqrt(at);
}

const DESIGNS = [
  ['the whole law, 3 degrees of freedom (chosen)', wholeLaw(3)],
  ['the whole law, 5 degrees of freedom', wholeLaw(5)],
  ['normal quantile of the median scale (before)', medianScale],
  ['split-conformal over the cases', conformal],
];

// --- by simulation: the cases are those of tests/MqttCheck.Tests/Latency/ReplayCoverageTests.cs ---
let state = 1;
function uniform() {
  state = (state + 0x6D2B79F5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
const LAWS = {
  normal,
  t5: () => { let sum = 0; for (let i = 0; i < 5; i++) sum += normal() ** 2; return normal() / Math.sqrt(sum / 5); },
  contaminated: () => normal() * (uniform() < 0.1 ? 4 : 1),
};
function simulatedCase(law, deviation) {
  const active = 1 + 0.05 * 200 ** uniform(), fastest = 10 ** uniform(), standard = law();
  let sampling = normal();
  const points = [0.3, 0.5, 0.7, 0.85, 0.95, 0.99].map((observed, i) => {
    sampling = 0.8 * sampling + 0.6 * normal();
    const noise = Math.sqrt(observed * (1 - observed) / 150);
    return { milliseconds: fastest * 2.5 ** i, observed, error: deviation * Math.sqrt(shape(observed)) * standard + noise * sampling, noise };
  });
  return { meanActive: active, points };
}
function simulate(repetitions) {
  console.log(`| law of errors | deviation | cases | level | ${DESIGNS.map(([name]) => name).join(' | ')} |\n|---|---|---|---|${DESIGNS.map(() => '---').join('|')}|`);
  for (const law of Object.keys(LAWS)) {
    for (const [deviation, count, level] of [[0.03, 15, 0.9], [0.1, 15, 0.9], [0.1, 15, 0.95], [0.1, 30, 0.95]]) {
      state = 4242;
      const held = DESIGNS.map(() => 0), halves = DESIGNS.map(() => 0);
      for (let r = 0; r < repetitions; r++) {
        const cases = Array.from({ length: count }, () => simulatedCase(LAWS[law], deviation));
        const further = simulatedCase(LAWS[law], 0);
        const point = further.points[Math.floor(6 * uniform())];
        const error = Math.abs(deviation * LAWS[law]());
        DESIGNS.forEach(([, half], i) => {
          const width = half(cases, further.meanActive, point.milliseconds, 1, 0, level);
          if (error <= width) held[i]++;
          halves[i] += width;
        });
      }
      console.log(`| ${law} | ${deviation} | ${count} | ${level} | ${DESIGNS.map((_, i) => `${(held[i] / repetitions).toFixed(3)} (${(halves[i] / repetitions).toFixed(3)})`).join(' | ')} |`);
    }
  }
}

// --- on calibrations ---
// The load of a measured setup: the mean of the open messages in its runs, which the simulation meets within a few percent.
function loads(log) {
  const information = JSON.parse(readFileSync(log.replace(/\.csv$/, '.run.json'), 'utf8'));
  const lines = readFileSync(log, 'utf8').split('\n').filter(line => line && !line.startsWith('#'));
  const header = lines[0].split(',');
  const [run, active] = ['run', 'active_messages'].map(name => header.indexOf(name));
  const clientsOf = new Map(information.runs.filter(one => one.purpose === 'verify').map(one => [String(one.run), one.clients]));
  const sums = new Map();
  for (const line of lines.slice(1)) {
    const cells = line.split(',');
    const clients = clientsOf.get(cells[run]);
    if (clients === undefined) continue;
    const sum = sums.get(clients) ?? [0, 0];
    sums.set(clients, [sum[0] + Number(cells[active]), sum[1] + 1]);
  }
  return new Map([...sums].map(([clients, [sum, count]]) => [clients, sum / count]));
}
const score = (lower, upper, measured, level) => upper - lower + 2 / (1 - level) * (Math.max(0, lower - measured) + Math.max(0, measured - upper));
function live(directories) {
  console.log('| broker | quiet points | design | level | held | mean half width | score |\n|---|---|---|---|---|---|---|');
  for (const directory of directories) {
    const rows = new Map([['as printed', []], ...DESIGNS.map(([name]) => [name, []])]);
    let broker = '', level = 0, count = 0;
    for (const file of readdirSync(join(directory, 'calibrations')).filter(name => name.endsWith('.json'))) {
      const table = JSON.parse(readFileSync(join(directory, 'calibrations', file), 'utf8'));
      const { cases } = JSON.parse(readFileSync(join(directory, 'models', file), 'utf8')).replay;
      const activeOf = loads(table.log);
      broker = table.broker.split(' ')[0];
      level = table.confidence;
      const z = normalQuantile(level);
      for (const point of table.learners[0].points.filter(one => one.noiseFloor <= 0.03)) {
        count++;
        const p = point.predicted;
        const halfOf = interval => Math.max(p - interval[0], interval[1] - p);
        // What sampling of the mean adds, from the printed intervals with and without it.
        const sampling = Math.max(0, halfOf(point.meanInterval) ** 2 - halfOf(point.predictedInterval) ** 2) / z ** 2;
        const add = (name, half) => {
          const [lower, upper] = [Math.max(0, p - half), Math.min(1, p + half)];
          rows.get(name).push([lower <= point.measured && point.measured <= upper, half, score(lower, upper, point.measured, level)]);
        };
        add('as printed', halfOf(point.meanInterval));
        for (const [name, half] of DESIGNS) add(name, half(cases, activeOf.get(point.clients), point.thresholdMilliseconds, shape(p), sampling, level));
      }
    }
    for (const [name, values] of rows) {
      const mean = pick => (values.reduce((sum, value) => sum + Number(pick(value)), 0) / values.length).toFixed(3);
      console.log(`| ${broker} | ${count} | ${name} | ${level} | ${mean(v => v[0])} | ${mean(v => v[1])} | ${mean(v => v[2])} |`);
    }
  }
}

const [mode, ...rest] = process.argv.slice(2);
if (mode === 'simulate') simulate(Number(rest[0] ?? 2000));
else if (mode === 'live' && rest.length > 0) live(rest);
else { console.error(`designs.mjs: mode "${mode ?? ''}" given; allowed: simulate [REPETITIONS], live DIRECTORY ...`); process.exit(2); }
