// Bundles src/ and puts it, with styles and licences, into page.html: one file that needs nothing else.
// Runs on Node 18 and later. `node build.mjs` writes the page back to page.html of the working folder,
// which is a copy of this one (cmake/embed_page.cmake).

import { build, transform } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";

const bundled = await build({
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2020",
  charset: "ascii",
  legalComments: "none", // complete licences are in the page, below
  write: false,
});
const script = bundled.outputFiles[0].text;

const styles = await Promise.all(["node_modules/uplot/dist/uPlot.min.css", "src/style.css"].map((f) => readFile(f, "utf8")));
const style = (await transform(styles.join("\n"), { loader: "css", minify: true, charset: "ascii" })).code;

const licences = await Promise.all(
  ["three", "uplot"].map(async (name) => `${name}\n\n${(await readFile(`node_modules/${name}/LICENSE`, "utf8")).trim()}`),
);

// ASCII alone, so that the page can be cut anywhere on its way into the library.
const ascii = (text) => text.replace(/[^\x00-\x7f]/gu, (c) => `&#${c.codePointAt(0)};`);
const escaped = (text) => ascii(text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]));

let page = ascii(await readFile("page.html", "utf8"));
for (const [mark, value] of [
  ["@STYLE@", style],
  ["@LICENCES@", escaped(licences.join("\n\n\n"))],
  ["@SCRIPT@", script],
])
  page = page.split(mark).join(value);
if (/[^\x00-\x7f]/.test(page)) throw new Error("the page is not ASCII");
if (script.includes("</script")) throw new Error("the script would end itself");
if (script.includes("@PARID_")) throw new Error("the script holds a mark");
await writeFile("page.html", page);
