/** A colour is a CSS variable of the page, so a change between light and dark needs no redraw. */
export const colour = (role = "ink"): string => `var(--${role})`;

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
