import { dot, type Markish } from "@observablehq/plot";
import type { Shape } from "./theme.ts";

export interface XY {
  x: number;
  y: number;
}

const svgNamespace = "http://www.w3.org/2000/svg";

/** The outline of each shape around the pen, for half of its width: what colours tell apart, shapes tell apart too. */
const outlines: Readonly<Record<Shape, (s: number) => string>> = {
  circle: (s) => `m${-s},0a${s},${s} 0 1 0 ${2 * s},0a${s},${s} 0 1 0 ${-2 * s},0z`,
  square: (s) => `m${-s},${-s}h${2 * s}v${2 * s}h${-2 * s}z`,
  triangle: (s) => `m0,${-1.3 * s}l${1.3 * s},${2.2 * s}h${-2.6 * s}z`,
  diamond: (s) => `m0,${-1.5 * s}l${1.3 * s},${1.5 * s}l${-1.3 * s},${1.5 * s}l${-1.3 * s},${-1.5 * s}z`,
  wye: (s) => `m${-1.4 * s},${-0.35 * s}h${1.05 * s}v${-1.05 * s}h${0.7 * s}v${1.05 * s}h${1.05 * s}v${0.7 * s}h${-1.05 * s}v${1.05 * s}h${-0.7 * s}v${-1.05 * s}h${-1.05 * s}z`,
};

/** The path of a shape with its middle at a place. */
export const outline = (shape: Shape, x: number, y: number, size: number): string => `M${x.toFixed(1)},${y.toFixed(1)}${outlines[shape](size)}`;

/** Thousands of points as one path: many times faster to draw and to repaint than an element for each. */
export function points(data: readonly XY[], fill: string, shape: Shape, size: number, opacity: number): Markish {
  return dot(data as XY[], {
    x: "x",
    y: "y",
    render(index, _scales, values, _dimensions, context) {
      const { x, y } = values;
      const path = context.document.createElementNS(svgNamespace, "path");
      let d = "";
      if (x && y) for (const i of index as number[]) d += outline(shape, Number(x[i]), Number(y[i]), size);
      path.setAttribute("d", d);
      path.setAttribute("fill", fill);
      path.setAttribute("fill-opacity", String(opacity));
      path.setAttribute("data-shape", shape);
      return path;
    },
  });
}

/** A shape by itself, for a legend. */
export function swatch(shape: Shape, fill: string): SVGSVGElement {
  const svg = document.createElementNS(svgNamespace, "svg");
  for (const [name, value] of Object.entries({ width: "12", height: "12", "aria-hidden": "true" })) svg.setAttribute(name, value);
  const path = document.createElementNS(svgNamespace, "path");
  path.setAttribute("d", outline(shape, 6, 6, 3.8));
  path.setAttribute("data-shape", shape);
  path.style.fill = fill;
  svg.append(path);
  return svg;
}

/** Whole numbers would stack all points on lines; a fixed pattern moves them apart by less than half a step. (Golden ratio: even for any count.) */
export const jitter = (index: number): number => (((index * 0.618033988749895) % 1) - 0.5) * 0.9;
