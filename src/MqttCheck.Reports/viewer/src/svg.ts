import type { Shape } from "./chart.ts";

/** A new part of a drawing. */
export function part(name: string, attributes: Record<string, string | number> = {}, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, typeof value === "number" ? String(Math.round(value * 100) / 100) : value);
  made.append(...children);
  return made;
}

/** A place on a path. */
export const place = (x: number, y: number): string => `${x.toFixed(1)},${y.toFixed(1)}`;

const outlines: Readonly<Record<Shape, (s: number) => string>> = {
  circle: (s) => `m${-s},0a${s},${s} 0 1 0 ${2 * s},0a${s},${s} 0 1 0 ${-2 * s},0z`,
  square: (s) => `m${-s},${-s}h${2 * s}v${2 * s}h${-2 * s}z`,
  triangle: (s) => `m0,${-1.3 * s}l${1.3 * s},${2.2 * s}h${-2.6 * s}z`,
  diamond: (s) => `m0,${-1.5 * s}l${1.3 * s},${1.5 * s}l${-1.3 * s},${1.5 * s}l${-1.3 * s},${-1.5 * s}z`,
  wye: (s) => `m${-1.4 * s},${-0.35 * s}h${1.05 * s}v${-1.05 * s}h${0.7 * s}v${1.05 * s}h${1.05 * s}v${0.7 * s}h${-1.05 * s}v${1.05 * s}h${-0.7 * s}v${-1.05 * s}h${-1.05 * s}z`,
  times: (s) => `m${-s},${-s}l${2 * s},${2 * s}m0,${-2 * s}l${-2 * s},${2 * s}`,
};

/** The path of a symbol with its middle at a place. */
export const outline = (shape: Shape, x: number, y: number, size: number): string => `M${place(x, y)}${outlines[shape](Math.round(size * 50) / 100)}`;

/** A symbol by itself: full, or with an empty inside. */
export function symbol(shape: Shape, x: number, y: number, size: number, fill: string, isHollow: boolean): SVGElement {
  const ground = "var(--surface)";
  const look = shape === "times" ? { fill: "none", stroke: fill, "stroke-width": 2 }
    : isHollow ? { fill: ground, stroke: fill, "stroke-width": 2 } : { fill, stroke: ground, "stroke-width": 0.8 };
  return part("path", { d: outline(shape, x, y, size), "data-shape": shape, ...look });
}

const measure = document.createElement("canvas").getContext("2d");

/** How wide a text of a chart is, in pixels; the font is that of the style sheet. */
export function textWidth(text: string, weight = 400): number {
  if (!measure) return 7 * text.length;
  measure.font = `${weight} 12px system-ui, "Segoe UI", Roboto, Arial, sans-serif`;
  return measure.measureText(text).width;
}

/** A text in lines of a width at most; a single word may be wider. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(`${last} ${word}`, 600) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
