// Compares designs of the interval of a prediction: by simulation of trainings, and on calibrations that were measured.
//
//   node designs.mjs simulate [REPETITIONS]     coverage and mean half width, for laws of errors, numbers of cases and levels
//   node designs.mjs ranks [REPETITIONS]        the same, for designs in which the replayed cases judge the law
//   node designs.mjs live DIRECTORY ...         each was written by `mqttcheck calibrate --from LOGS --out DIRECTORY`
//
// It follows ReplayErrorLaw.cs and ReplayRelevance.cs in src/MqttCheck/Latency/Quality, with the degrees of freedom and the rule as parameters.
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
// What is said of one of the cases leaves it its own weight, that of another in the mean, or none, by `own` and `share`.
function relevant(cases, active, threshold, own = -1, share = 'own') {
  const company = a => Math.max(0, a - 1) + 0.1;
  const distance = (one, other, width) => (Math.log(one / other) / Math.log(width)) ** 2;
  const least = threshold >= 0.5 && cases.some(c => c.points.some(p => p.milliseconds >= 0.5)) ? 0.5 : 0;
  const points = [];
  const relevanceOf = one => 2 ** -distance(company(one.meanActive), company(active), 3)
    * Math.max(0, ...one.points.filter(p => p.milliseconds >= least).map(p => 2 ** -distance(p.milliseconds, threshold, 5)));
  cases.forEach((one, i) => {
    if (i === own && share === 'none') return;
    const kept = one.points.filter(p => p.milliseconds >= least);
    const near = kept.map(p => 2 ** -distance(p.milliseconds, threshold, 5));
    const whole = i === own && share === 'mean'
      ? cases.reduce((sum, other) => sum + (other === one ? 0 : relevanceOf(other)), 0) / (cases.length - 1)
      : relevanceOf(one);
    const relevance = whole / near.reduce((a, b) => a + b, 0);
    kept.forEach((p, j) => points.push({ ...p, from: p, weight: relevance * near[j] + 1 / cases.length / kept.length }));
  });
  return points;
}

// Of one point, the logarithm of the likelihood of each scale; many posteriors ask for the same.
const known = { 3: new WeakMap(), 5: new WeakMap() };
function likelihood(point, degrees) {
  if (!known[degrees].has(point))
    known[degrees].set(point, SCALES.map(scale => {
      let density = 0;
      for (const node of NODES[degrees][0]) {
        const variance = Math.max(1e-12, scale * scale * shape(point.observed) * node + point.noise * point.noise);
        density += Math.exp(-point.error * point.error / (2 * variance)) / Math.sqrt(variance);
      }
      return Math.log(Math.max(density, Number.MIN_VALUE));
    }));
  return known[degrees].get(point);
}

function posterior(points, degrees) {
  const logs = SCALES.map(() => 0);
  for (const p of points) likelihood(p.from, degrees).forEach((log, i) => { logs[i] += p.weight * log; });
  const most = Math.max(...logs);
  const weights = logs.map(log => Math.exp(log - most));
  weights[0] /= 2; weights[STEPS] /= 2;
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map(weight => weight / sum);
}

function within(weights, degrees, at, other) {
  const parts = [];
  let total = 0;
  weights.forEach((weight, i) => {
    if (weight < 1e-6) return;
    for (const node of NODES[degrees][1]) {
      parts.push([weight, Math.sqrt(2 * Math.max(1e-12, SCALES[i] ** 2 * node * at + other))]);
      total += weight;
    }
  });
  return half => parts.reduce((sum, [weight, root]) => sum + weight * erf(half / root), 0) / total;
}

function wholeLaw(degrees) {
  return (cases, active, threshold, at, other, level) => {
    const held = within(posterior(relevant(cases, active, threshold), degrees), degrees, at, other);
    return bisect(0, 10, half => held(half) < level);
  };
}

// The law, at the level at which it would have held as many of the cases as the rank of a further one needs.
function judgedBy(share, isBetween = false) {
  return (cases, active, threshold, at, other, level) => {
    const contents = cases.map((one, i) => {
      const point = nearestTo(one, threshold);
      const shapeThere = shape(point.observed);
      const weights = posterior(relevant(cases, one.meanActive, point.milliseconds, i, share), 3);
      return within(weights, 3, shapeThere, point.noise ** 2)(Math.abs(point.error));
    }).sort((a, b) => a - b);
    const rank = Math.min(contents.length, level * (contents.length + 1));
    const above = contents[Math.ceil(rank - 1e-9) - 1], below = contents[Math.max(1, Math.floor(rank + 1e-9)) - 1];
    const needed = Math.max(level, isBetween ? below + (rank % 1) * (above - below) : above);
    const held = within(posterior(relevant(cases, active, threshold), 3), 3, at, other);
    return bisect(0, 10, half => held(half) < needed);
  };
}
const nearestTo = (one, threshold) =>
  one.points.reduce((a, b) => Math.abs(Math.log(b.milliseconds / threshold)) < Math.abs(Math.log(a.milliseconds / threshold)) ? b : a);

function medianScale(cases, active, threshold, at, other, level) {
  const weights = posterior(relevant(cases, active, threshold), 5);
  let sum = 0, i = 0;
  while (sum + weights[i] < 0.5) sum += weights[i++];
  return normalQuantile(level) * Math.sqrt(SCALES[i] ** 2 * at + other);
}

// Of each case the point nearest to the threshold; the ceil(level (n + 1))-th smallest error, the largest where there are fewer cases.
function conformal(cases, active, threshold, at, other, level) {
  const scores = cases.map(one => {
    const nearest = nearestTo(one, threshold);
    return Math.abs(nearest.error) / Math.sqrt(Math.max(1e-3, shape(nearest.observed)));
  }).sort((a, b) => a - b);
  return scores[Math.min(scores.length, Math.ceil(level * (scores.length + 1) - 1e-9)) - 1] * Math.sqrt(at);
}

const DESIGNS = [
  ['the whole law, 3 degrees of freedom', wholeLaw(3)],
  ['the whole law, 5 degrees of freedom', wholeLaw(5)],
  ['normal quantile of the median scale (before)', medianScale],
  ['split-conformal over the cases', conformal],
];

const RANKS = [
  ['the law alone (before)', wholeLaw(3)],
  ['judged, own weight', judgedBy('own')],
  ['judged, mean weight (chosen)', judgedBy('mean')],
  ['judged, left out', judgedBy('none')],
  ['mean weight, between two ranks', judgedBy('mean', true)],
  ['split-conformal', conformal],
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
  far: () => (uniform() < 0.15 ? 3 : 0) * (uniform() < 0.5 ? 1 : -1),
  t2: () => normal() / Math.sqrt((normal() ** 2 + normal() ** 2) / 2),
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
const CELLS = ['normal', 't5', 'contaminated'].flatMap(law =>
  [[0.03, 15, 0.9], [0.1, 15, 0.9], [0.1, 15, 0.95], [0.1, 30, 0.95]].map(cell => [law, ...cell]));
const RANK_CELLS = [
  ['normal', 0.05, 8, 0.8], ['normal', 0.01, 15, 0.9], ['normal', 0.05, 15, 0.9],
  ['far', 0.03, 12, 0.9], ['far', 0.03, 20, 0.95], ['far', 0.05, 15, 0.9], ['far', 0.1, 15, 0.9], ['far', 0.03, 24, 0.95], ['far', 0.1, 24, 0.95],
  ['t2', 0.05, 15, 0.9],
];
function simulate(repetitions, designs, cells) {
  console.log(`| law of errors | deviation | cases | level | ${designs.map(([name]) => name).join(' | ')} |\n|---|---|---|---|${designs.map(() => '---').join('|')}|`);
  for (const [law, deviation, count, level] of cells) {
    state = 4242;
    const held = designs.map(() => 0), halves = designs.map(() => 0);
    for (let r = 0; r < repetitions; r++) {
      const cases = Array.from({ length: count }, () => simulatedCase(LAWS[law], deviation));
      const further = simulatedCase(LAWS[law], 0);
      const point = further.points[Math.floor(6 * uniform())];
      const error = Math.abs(deviation * LAWS[law]());
      designs.forEach(([, half], i) => {
        const width = half(cases, further.meanActive, point.milliseconds, 1, 0, level);
        if (error <= width) held[i]++;
        halves[i] += width;
      });
    }
    console.log(`| ${law} | ${deviation} | ${count} | ${level} | ${designs.map((_, i) => `${(held[i] / repetitions).toFixed(3)} (${(halves[i] / repetitions).toFixed(3)})`).join(' | ')} |`);
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
if (mode === 'simulate') simulate(Number(rest[0] ?? 2000), DESIGNS, CELLS);
else if (mode === 'ranks') simulate(Number(rest[0] ?? 1000), RANKS, RANK_CELLS);
else if (mode === 'live' && rest.length > 0) live(rest);
else { console.error(`designs.mjs: mode "${mode ?? ''}" given; allowed: simulate [REPETITIONS], ranks [REPETITIONS], live DIRECTORY ...`); process.exit(2); }
