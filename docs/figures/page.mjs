// Takes the picture of the README: the upper part of the page that `./run demo` writes.
//
//   node docs/figures/page.mjs PARID FOLDER [--check]
//
// FOLDER has node_modules with playwright-core, such as build/release/tests/web after the test
// `web`. Writes report.png and report.txt, the headings in the picture. With --check it writes
// nothing and fails if the headings of the page differ from report.txt: then take the picture again.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [parid, folder, check] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const { chromium } = createRequire(resolve(folder, "package.json"))("playwright-core");
const scratch = mkdtempSync(join(tmpdir(), "parid-page-"));
const file = join(scratch, "page.html");
execFileSync(parid, ["report", "puma560", "--all", "--poses", "1", "-o", file], { stdio: "ignore" });
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const page = await browser.newPage({ viewport: { width: 1366, height: 870 }, colorScheme: "light" });
await page.goto(pathToFileURL(file).href, { timeout: 180000 });
await page.waitForFunction(() => document.querySelector("#now-table tbody tr td[data-what=tau]")?.textContent);
await page.$eval("#time", (slider) => { slider.value = "130"; slider.dispatchEvent(new Event("input", { bubbles: true })); });
await page.waitForTimeout(1000);
const parts = await page.$$eval("header.top, #contents, #now-table thead", (all) => all.map((e) => e.innerText));
const text = `${parts.join("\n").split(/\s*\n\s*/).map((line) => line.trim()).filter((line) => line).join("\n")}\n`;
if (!check) {
  await page.screenshot({ path: join(here, "report.png"), fullPage: true, clip: { x: 0, y: 0, width: 1366, height: 1340 } });
  writeFileSync(join(here, "report.txt"), text);
}
await browser.close();
rmSync(scratch, { recursive: true });
if (check && text !== readFileSync(join(here, "report.txt"), "utf8")) {
  console.log(`the page differs from docs/figures/report.png; its text is now\n${text}`);
  process.exit(1);
}
