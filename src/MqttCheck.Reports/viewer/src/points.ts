import { dot, type Markish } from "@observablehq/plot";

export interface XY {
  x: number;
  y: number;
}

/** Thousands of points as one path: many times faster to draw and to repaint than an element for each. */
export function points(data: readonly XY[], fill: string, size: number, opacity: number): Markish {
  return dot(data as XY[], {
    x: "x",
    y: "y",
    render(index, _scales, values, _dimensions, context) {
      const { x, y } = values;
      const path = context.document.createElementNS("http://www.w3.org/2000/svg", "path");
      let d = "";
      // A stroke of no length with round ends is a dot.
      if (x && y) for (const i of index as number[]) d += `M${Number(x[i]).toFixed(1)},${Number(y[i]).toFixed(1)}h0`;
      path.setAttribute("d", d);
      path.setAttribute("fill", "none");
      path.setAttribute("stroke", fill);
      path.setAttribute("stroke-width", String(size));
      path.setAttribute("stroke-linecap", "round");
      path.setAttribute("stroke-opacity", String(opacity));
      return path;
    },
  });
}

/** Whole numbers would stack all points on lines; a fixed pattern moves them apart by less than half a step. (Golden ratio: even for any count.) */
export const jitter = (index: number): number => (((index * 0.618033988749895) % 1) - 0.5) * 0.9;
