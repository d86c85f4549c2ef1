import { cell, pointer, text, tip } from "@observablehq/plot";
import type { Draw } from "../chart.ts";
import { draw } from "../plot.ts";
import { ink, line, soft, surface } from "../theme.ts";

/** Correlation matrix of the log's columns: the number stands in the cell, the colour repeats it. */
export const correlation: Draw = ({ report, width }) => {
  const matrix = report.log?.correlation;
  if (!matrix) return undefined;
  const names = matrix.columns;
  const cells = matrix.coefficients.flatMap((row, i) => row.map((r, j) => ({ row: names[i] ?? "", column: names[j] ?? "", r })));
  const side = Math.min((width - 122) / names.length, 58);
  // The labels below the columns stand slanted and have less room than those beside the rows.
  const short = (name: string) => name.replace("subscriptions", "subs.").replace("subscribers", "subscr.").replace("receivers", "receiv.").replace(/messages?/, "mess.");
  const fill = (r: number | null) => {
    const strength = Math.round(Math.abs(r ?? 0) * 100);
    return r === null ? line : `color-mix(in srgb, ${r < 0 ? "var(--negative)" : "var(--positive)"} ${strength}%, ${surface})`;
  };
  return draw({
    width: Math.min(width, 122 + side * names.length), height: names.length * Math.min(side, 40) + 62, marginLeft: 118, marginRight: 4, marginTop: 4, marginBottom: 58,
    x: { domain: names, padding: 0.04, axis: null }, y: { domain: names, padding: 0.06, axis: null },
    marks: [
      cell(cells, { x: "column", y: "row", fill: ({ r }) => fill(r), stroke: line, strokeWidth: 0.5, rx: 2 }),
      text(cells, {
        x: "column", y: "row", fontSize: side < 36 ? 10 : 12,
        text: ({ r }) => (r === null ? "–" : r === 1 ? "1" : Math.abs(r) < 0.005 ? ".00" : r.toFixed(2).replace("0.", ".").replace("-", "−")),
        fill: ink,
      }),
      text(names, { y: (name) => name, frameAnchor: "left", dx: -8, textAnchor: "end", text: (name) => name, fill: ink }),
      text(names, { x: (name) => name, frameAnchor: "bottom", dy: 8, dx: 4, textAnchor: "end", rotate: -38, text: short, fill: soft }),
      tip(cells, pointer({ x: "column", y: "row", title: ({ row, column, r }) => `${row} and ${column}\n${r === null ? "one of them never changes" : `correlation ${r.toFixed(2)}`}` })),
    ],
  });
};
