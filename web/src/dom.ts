// Creates elements. Text is inserted as text: nothing of a robot file is interpreted as HTML.

type Child = Node | string | null | undefined;
type Properties = Record<string, string | number | boolean | ((e: any) => void) | undefined>;

function fill(e: Element, properties: Properties, children: Child[]): void {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") e.addEventListener(name.slice(2), value as EventListener);
    else e.setAttribute(name, value === true ? "" : String(value));
  }
  for (const c of children) if (c !== null && c !== undefined) e.append(c);
}

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  fill(e, properties, children);
  return e;
}

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, properties: Properties = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(e, properties, children);
  return e;
}

// A card of the page with a heading and a short description.
export function card(id: string, title: string, says: string, ...children: Child[]): HTMLElement {
  return el("section", { id, class: "card", "aria-labelledby": `${id}-title` },
    el("h2", { id: `${id}-title` }, title),
    says ? el("p", { class: "says" }, says) : null,
    ...children);
}

// A row of figures: value and description.
export function figures(...all: [value: string, what: string][]): HTMLElement {
  return el("dl", { class: "figures" },
    ...all.map(([value, what]) => el("div", {}, el("dd", {}, value), el("dt", {}, what))));
}

export interface Column<T> {
  head: string;
  title?: string;
  text: (row: T) => Child;
  key?: (row: T) => number | string; // sort key; numbers are right-aligned
  number?: boolean;
}

// A table that is sorted by pressing the head of a column.
export function table<T>(rows: T[], all: Column<T>[], caption: string, sorted = -1): HTMLElement {
  let by = sorted, down = false;
  const body = el("tbody");
  const heads = all.map((c, k) => {
    const inside = c.key
      ? el("button", { type: "button", class: "sort", title: c.title, onclick: () => { down = by === k && !down; by = k; show(); } }, c.head)
      : c.head;
    return el("th", { scope: "col", class: c.number ? "number" : undefined, title: c.key ? undefined : c.title }, inside);
  });
  function show(): void {
    const order = rows.map((r, k) => [r, k] as const);
    const key = by >= 0 ? all[by].key : undefined;
    if (key)
      order.sort(([a, i], [b, j]) => {
        const x = key(a), y = key(b);
        const d = typeof x === "number" && typeof y === "number" ? (x === y ? 0 : x < y ? -1 : 1) : String(x).localeCompare(String(y));
        return (down ? -d : d) || i - j;
      });
    heads.forEach((h, k) => h.setAttribute("aria-sort", k !== by ? "none" : down ? "descending" : "ascending"));
    body.replaceChildren(...order.map(([r]) => el("tr", {}, ...all.map((c, k) => el(k === 0 ? "th" : "td", { class: c.number ? "number" : undefined, scope: k === 0 ? "row" : undefined, "data-label": k === 0 ? undefined : c.head }, c.text(r))))));
  }
  show();
  return el("div", { class: "scroll" },
    el("table", { class: "stack tight" }, el("caption", { class: "unseen" }, caption), el("thead", {}, el("tr", {}, ...heads)), body));
}
