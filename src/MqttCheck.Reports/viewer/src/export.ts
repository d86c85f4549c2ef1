const measured = /^(-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)( ms| s| %)?$/;
const unknown = "–";

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A table as comma-separated values: numbers without separators, and a unit that a whole column has in its heading. */
export function csv(table: HTMLTableElement): string {
  const texts = [...table.rows].map((row) => [...row.cells].map((cell) => (cell.textContent ?? "").trim()));
  const [headings = [], ...rows] = texts;
  const units = headings.map((_, column) => {
    const found = new Set(rows.map((row) => row[column] ?? "").filter((cell) => cell !== "" && cell !== unknown).map((cell) => measured.exec(cell)).map((match) => match && (match[2] ?? "")));
    const [unit] = found;
    return found.size === 1 && typeof unit === "string" ? unit : undefined;
  });
  const cells = rows.map((row) => row.map((cell, column) =>
    units[column] === undefined ? cell : cell === unknown ? "" : (measured.exec(cell)?.[1] ?? "").replaceAll(",", "")));
  const named = headings.map((heading, column) => (units[column] ? `${heading} (${units[column].trim()})` : heading));
  return [named, ...cells].map((row) => row.map(quoted).join(",") + "\r\n").join("");
}

function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(content);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// A picture outside of the page has neither its sheet nor its variables: each part gets the colours and the font that it has here.
const carried = ["fill", "stroke", "color", "font-family", "font-size", "font-weight"] as const;

function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  [svg, ...svg.querySelectorAll<SVGElement>("*")].forEach((part, i) => {
    const style = getComputedStyle(part);
    for (const name of carried) copies[i]?.style.setProperty(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

const edge = 16;
const scale = 2;

/** Heading and chart of a figure as a picture, in the colours of the page. */
async function png(figure: HTMLElement, svg: SVGSVGElement): Promise<Blob> {
  const image = new Image();
  const width = Number(svg.getAttribute("width"));
  const height = Number(svg.getAttribute("height"));
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  const head = 30;
  canvas.width = scale * (width + 2 * edge);
  canvas.height = scale * (height + head + 2 * edge);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no canvas");
  const { backgroundColor, color, fontFamily } = getComputedStyle(figure);
  context.scale(scale, scale);
  context.fillStyle = backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = color;
  context.font = `600 16px ${fontFamily}`;
  context.fillText(figure.querySelector("h3")?.textContent ?? "", edge, edge + 16, width);
  context.drawImage(image, edge, edge + head, width, height);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"));
}

/** Two buttons below a chart: its numbers for a spreadsheet, and its picture. */
export function addDownloads(figure: HTMLElement): void {
  const line = document.createElement("p");
  line.className = "downloads";
  const button = (label: string, press: () => void) => {
    const made = document.createElement("button");
    made.type = "button";
    const title = document.createElement("span");
    title.className = "unseen";
    title.textContent = `: ${figure.querySelector("h3")?.textContent ?? ""}`;
    made.append(label, title);
    made.addEventListener("click", press);
    line.append(made);
  };
  button("CSV", () => {
    const table = figure.querySelector("table");
    if (table) save(`${figure.id}.csv`, new Blob([csv(table)], { type: "text/csv" }));
  });
  button("PNG", () => {
    const svg = figure.querySelector<SVGSVGElement>(".stage > svg");
    if (svg) void png(figure, svg).then((blob) => save(`${figure.id}.png`, blob), (error) => console.error(`${figure.id}:`, error));
  });
  figure.querySelector("details")?.before(line);
}

/** Parts of a picture have no role; the picture is named as a whole. */
export function nameAsWhole(svg: SVGSVGElement, id: string): void {
  svg.setAttribute("aria-labelledby", `${id}-title ${id}-caption`);
}
