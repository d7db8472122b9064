// Light or dark theme, and colours that colour-blind readers can distinguish (after Okabe and Ito). Both are
// defined in style.css; canvases read them here and are notified of changes.

const listeners: (() => void)[] = [];
const asked = matchMedia("(prefers-color-scheme: dark)");

export const dark = (): boolean => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : asked.matches;
};

export function variable(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

export const colours = 8;
export const colour = (k: number): string => variable(`--c${k % colours}`);
// The same in SVG and HTML, where it follows the theme automatically.
export const css = (k: number): string => `var(--c${k % colours})`;
// Beyond the eighth curve, dashes distinguish curves.
export const dashes = (k: number): number[] => [[], [9, 3], [3, 2], [9, 3, 3, 3]][Math.floor(k / colours) % 4];

// A piece of curve k, for the beginning of a row or a legend.
export function swatch(k: number): SVGSVGElement {
  const name = "http://www.w3.org/2000/svg", out = document.createElementNS(name, "svg"), line = document.createElementNS(name, "line");
  for (const [key, value] of Object.entries({ class: "swatch", viewBox: "0 0 18 8", "aria-hidden": "true" })) out.setAttribute(key, value);
  for (const [key, value] of Object.entries({ x1: 0, x2: 18, y1: 4, y2: 4, style: `stroke:${css(k)}`, "stroke-dasharray": dashes(k).join(" ") || "none" })) line.setAttribute(key, String(value));
  out.append(line);
  return out;
}

export const onTheme = (f: () => void): void => { listeners.push(f); };
const tell = (): void => { for (const f of listeners) f(); };

export function setUpTheme(button: HTMLElement): void {
  const name = (): void => { button.textContent = dark() ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    name();
    tell();
  });
  asked.addEventListener("change", () => { name(); tell(); });
  name();
  // Print in the light theme.
  let before: string | undefined;
  addEventListener("beforeprint", () => { before = document.documentElement.dataset.theme ?? ""; document.documentElement.dataset.theme = "light"; tell(); });
  addEventListener("afterprint", () => {
    if (before) document.documentElement.dataset.theme = before; else delete document.documentElement.dataset.theme;
    tell();
  });
}
