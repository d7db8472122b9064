// The page of `parid report` in a real browser: it draws, moves, agrees with the program, asks the network for
// nothing, and shows names of links as text whatever they are.
//
//   node report.mjs PARID WEB FOLDER      FOLDER has node_modules with playwright-core; pages are written there
//
// Exits with 77 where there is no Chromium, which CTest takes for a skipped test.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [parid, web, folder] = process.argv.slice(2);
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((p) => existsSync(p));
if (!executablePath) {
  console.log("skipped: there is no Chromium (apt install chromium)");
  process.exit(77);
}
const { chromium } = createRequire(resolve(folder, "package.json"))("playwright-core");
const pages = join(folder, "pages");
mkdirSync(pages, { recursive: true });

let failures = 0;
function check(what, ok, more = "") {
  if (!ok) ++failures;
  console.log(`${ok ? "ok  " : "FAIL"} ${what}${ok || more === "" ? "" : `: ${more}`}`);
}
const near = (x, y, by) => Math.abs(x - y) <= by;
const number = (text) => Number(text.replace("\u2212", "-"));
const run = (...words) => execFileSync(parid, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });

// Its exit code is 1 where a limit does not hold.
function limitsOf(...words) {
  try { return JSON.parse(run("limits", ...words, "--json")); } catch (e) { return JSON.parse(e.stdout); }
}

const browser = await chromium.launch({
  executablePath,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

async function open(name, words, view = { width: 1280, height: 800 }) {
  const file = join(pages, `${name}.html`);
  const said = JSON.parse(run("report", ...words, "-o", file, "--json"));
  const context = await browser.newContext({ viewport: view, colorScheme: "light" });
  const page = await context.newPage();
  const trouble = [], asked = [];
  page.on("console", (m) => { if (m.type() === "error") trouble.push(m.text()); });
  page.on("pageerror", (e) => trouble.push(String(e)));
  page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url())) asked.push(r.url()); });
  await page.goto(pathToFileURL(file).href, { timeout: 180000 });
  await page.waitForFunction(() => document.querySelector("#now-table tbody tr td[data-what=tau]")?.textContent);
  return { file, said, page, quiet: () => check(`${name}: no errors, no requests`, trouble.length === 0 && asked.length === 0, [...trouble, ...asked].join("; ")) };
}

// How many colours a coarse grid over the canvas has: a blank one has very few.
const shades = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  const canvas = document.querySelector(".view canvas");
  const small = document.createElement("canvas");
  small.width = small.height = 64;
  const c = small.getContext("2d");
  c.drawImage(canvas, 0, 0, 64, 64);
  const bytes = c.getImageData(0, 0, 64, 64).data, seen = new Set();
  let sum = 0;
  for (let k = 0; k < bytes.length; k += 4) {
    seen.add((bytes[k] >> 3) * 4096 + (bytes[k + 1] >> 3) * 64 + (bytes[k + 2] >> 3));
    sum = (sum * 31 + bytes[k] + 7 * bytes[k + 1] + 13 * bytes[k + 2]) % 1000000007;
  }
  done({ count: seen.size, sum });
}))));
const shown = (page, what) => page.$$eval(`#now-table td[data-what=${what}]`, (cells) => cells.map((c) => c.textContent));
async function goTo(page, sample) {
  await page.$eval("#time", (slider, k) => { slider.value = String(k); slider.dispatchEvent(new Event("input", { bubbles: true })); }, sample);
}
async function agrees(page, name, cli, sample) {
  const got = (await shown(page, "tau")).map(number), want = cli.tau[sample];
  check(`${name}: torques of sample ${sample} are those of parid torque`, got.length === want.length && got.every((x, k) => near(x, want[k], 5.001e-5)), `${got} and ${want}`);
}
// The page computes poses of links itself; the program computed the path of the tip.
async function walks(page, name) {
  const off = await page.evaluate(() => {
    const { motion, stage } = globalThis.paridPage;
    const report = JSON.parse(document.getElementById("data").textContent);
    const text = atob(report.motion.path.f64), bytes = Uint8Array.from(text, (c) => c.charCodeAt(0)), path = new Float64Array(bytes.buffer);
    if (path.length !== 3 * report.motion.rows) return 1;
    let worst = 0;
    for (let k = 0; k < report.motion.rows; ++k) {
      stage.show(motion.positions(k));
      stage.tip().forEach((x, i) => { worst = Math.max(worst, Math.abs(x - path[3 * k + i])); });
    }
    motion.clock.seek(motion.clock.start);
    return worst;
  });
  check(`${name}: the page's links stand where parid says`, off < 1e-12, String(off));
}

// ---- the page that the README shows
{
  const { file, said, page, quiet } = await open("puma560", ["puma560", "--motion", "dhanaraj", "--schedule", "4", "--control", "hamilton,binder_herzog", "--pipeline", "--stability", "--poses", "4", "--friction"]);
  const full = said.full_page, bytes = statSync(file).size;
  console.log(`     ${bytes} bytes, ${full ? "full" : "plain"} page`);
  check("puma560: at most 3 MB", bytes <= 3e6, String(bytes));
  check("puma560: size as said", bytes === said.bytes);
  if (!full) {
    console.log("skipped: the page is the plain one (npm could not be had when Parid was built)");
    await browser.close();
    process.exit(failures > 0 ? 1 : 77);
  }
  const paint = await page.evaluate(() => new Promise((done) => {
    const all = performance.getEntriesByName("first-contentful-paint");
    if (all.length) return done(all[0].startTime);
    new PerformanceObserver((list) => { for (const e of list.getEntriesByName("first-contentful-paint")) done(e.startTime); }).observe({ type: "paint", buffered: true });
  }));
  console.log(`     first paint after ${paint.toFixed(0)} ms`);
  check("puma560: something is painted", paint > 0 && paint < 60000);
  for (const id of ["verdict", "motion", "friction", "studies", "formulations", "schedule", "pipeline", "control", "stability", "about"])
    check(`puma560: there is ${id}`, (await page.$(`#${id}`)) !== null);

  const cli = JSON.parse(run("torque", "puma560", "--motion", "dhanaraj", "--friction", "--json"));
  const before = await shades(page);
  check("puma560: the canvas is not blank", before.count > 20, `${before.count} colours`);
  for (const sample of [0, 97, 200]) {
    await goTo(page, sample);
    await agrees(page, "puma560", cli, sample);
  }
  // Numbers name their model. With friction, the rigid torques of `parid torque` are shown too.
  const model = await page.textContent("#model");
  for (const part of ["bearings and drives", "payloadnone", "basefixed", "gravity(0, 0, -9.81) m/s\u00b2", "rotors", "motiondhanaraj"])
    check(`puma560: the header states '${part}'`, model.includes(part), model);
  for (const id of ["friction", "formulations", "pipeline", "control", "stability"])
    check(`puma560: ${id} names payload, base and gravity`, /no payload, fixed base, gravity \(0, 0, -9.81\)/i.test(await page.textContent(`#${id} .says`)));
  check("puma560: schedule names its model", (await page.textContent("#schedule .says")).includes("without friction and payload"));
  check("puma560: curves and tables name their model", (await page.textContent(".plots")).includes("Torque, rigid + friction") && (await page.textContent("#now-table thead")).includes("torque, rigid + friction"));
  const rigid = JSON.parse(run("torque", "puma560", "--motion", "dhanaraj", "--json")).tau[200], beside = (await shown(page, "rigid")).map(number);
  check("puma560: rigid torques stand beside", beside.length === 6 && beside.every((x, k) => near(x, rigid[k], 5.001e-5)), `${beside} and ${rigid}`);
  check("puma560: the robot has moved", (await shades(page)).sum !== before.sum);
  await walks(page, "puma560");

  // The keyboard: arrows on the slider, space to play.
  await goTo(page, 10);
  await page.focus("#time");
  await page.keyboard.press("ArrowRight");
  check("puma560: an arrow key goes one sample on", (await page.textContent("#now")).includes("11 / 200"), await page.textContent("#now"));
  const still = await page.textContent("#now");
  await page.keyboard.press("Space");
  await page.waitForFunction((t) => document.getElementById("now").textContent !== t, still);
  check("puma560: space plays", (await page.getAttribute("#play", "aria-label")) === "Pause");
  await page.keyboard.press("Space");
  check("puma560: and pauses", (await page.getAttribute("#play", "aria-label")) === "Play");

  // Sliders: the motion's sample gives the motion's torques, and other states those of the program.
  await goTo(page, 97);
  await page.click("#tab-live");
  await page.click("#take");
  const live = async () => (await page.$$eval("[data-live]", (cells) => cells.map((c) => c.title))).map(Number);
  const took = await live();
  check("puma560: the page's own torques are those of parid torque", took.every((x, k) => near(x, cli.tau[97][k], 1e-9 * Math.max(1, Math.abs(cli.tau[97][k])))), `${took} and ${cli.tau[97]}`);
  const set = (label, x) => page.$eval(`input[aria-label="${label}"]`, (i, y) => { i.value = String(y); i.dispatchEvent(new Event("input", { bubbles: true })); }, x);
  await set("mass of the payload in kg", 2.5);
  await set("z of the payload's centre in m", 0.1);
  await set("position of joint2 in rad", -0.7);
  await set("velocity of joint1 in rad/s", 0.5);
  await set("acceleration of joint3 in rad/s\u00b2", 1.25);
  const state = await page.evaluate(() => {
    const { motion } = globalThis.paridPage;
    return { q: motion.positions(97), v: motion.v.map((x) => x[97]), a: motion.a.map((x) => x[97]) };
  });
  state.q[1] = -0.7; state.v[0] = 0.5; state.a[2] = 1.25;
  const csv = join(pages, "state.csv");
  const head = ["q", "v", "a"].flatMap((w) => [1, 2, 3, 4, 5, 6].map((k) => `${w}:joint${k}`));
  writeFileSync(csv, `${head}\n${[...state.q, ...state.v, ...state.a]}\n`);
  const want = JSON.parse(run("torque", "puma560", csv, "--friction", "--payload", "2.5,0,0,0.1", "--json")).tau[0], got = await live();
  check("puma560: with sliders and payload too", got.every((x, k) => near(x, want[k], 1e-9 * Math.max(1, Math.abs(want[k])))), `${got} and ${want}`);
  check("puma560: the stage shows the sliders' posture", await page.isVisible(".badge"));
  await page.click(".badge button");

  // Figures of the other sections.
  const compare = await page.$$eval("#formulations tbody tr th", (cells) => cells.map((c) => c.textContent));
  for (const f of ["newton_euler_link", "lathrop", "uicker_kahn"]) check(`puma560: ${f} is in the table`, compare.some((c) => c.startsWith(f)));
  await page.click("#formulations thead button:has-text('multiplications')");
  const sorted = (await page.$$eval("#formulations table:first-of-type tbody tr td:nth-child(3)", (cells) => cells.map((c) => c.textContent.replace(/\D/g, "")))).map(Number).slice(0, 12);
  check("puma560: the table sorts", sorted.every((x, k) => k === 0 || sorted[k - 1] <= x), String(sorted));
  const plan = JSON.parse(run("schedule", "puma560", "-p", "4", "--json"));
  check("puma560: the Gantt chart has every task", (await page.$$("#schedule .gantt rect[rx]")).length === plan.tasks);
  check("puma560: the schedule is as long as parid schedule says", (await page.textContent("#schedule .figures dd")) === String(plan.makespan));
  const hardware = JSON.parse(run("pipeline", "puma560", "ik", "--json"));
  check("puma560: every CORDIC module is drawn", (await page.$$("#pipeline .box")).length === hardware.modules);
  check("puma560: the map has every policy", (await page.$$("#stability .map .axis")).length === (await page.$$("#stability tbody tr")).length + 1);
  check("puma560: the map has the papers' policies", (await Promise.all(["binder_herzog", "vuskovic", "yamakita", "hamilton"].map((id) => page.$(`#stability .map .axis:has-text("${id}")`)))).every((x) => x !== null));
  check("puma560: three policies were run", (await page.$$("#control tbody tr")).length === 3);

  // Dark, narrow, printed: nothing breaks, nothing is wider than the page.
  await page.click("#theme");
  check("puma560: it can be dark", (await page.evaluate(() => document.documentElement.dataset.theme)) === "dark");
  await page.setViewportSize({ width: 400, height: 800 });
  // Plots are fitted a frame after their boxes.
  const wide = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
    done(document.documentElement.scrollWidth - innerWidth)))));
  check("puma560: a narrow page does not scroll sideways", wide <= 0, String(wide));
  await page.emulateMedia({ media: "print" });
  check("puma560: printed, it has no buttons to press", !(await page.isVisible("#theme")));
  await page.setViewportSize({ width: 718, height: 1000 }); // A4 between its margins
  const cut = await page.evaluate(() => [...document.querySelectorAll("table")].filter((t) => t.checkVisibility() && t.getBoundingClientRect().right > innerWidth + 1).map((t) => t.caption?.textContent));
  check("puma560: printed, no table is cut off", cut.length === 0, cut.join("; "));
  quiet();
  await page.context().close();
}

// ---- the page of a Parid that was built without npm, with the same data
function plainPage(title) {
  const full = readFileSync(join(pages, `${title}.html`), "utf8");
  const between = (text, from, to) => text.slice(text.indexOf(from) + from.length, text.indexOf(to, text.indexOf(from) + from.length));
  const rest = full.slice(full.indexOf('id="data">'));
  let plain = readFileSync(join(web, "plain", "page.html"), "utf8");
  for (const [mark, value] of [["@WHY_PLAIN@", "this is a test"], ["@PARID_CONNECT@", ""], ["@PARID_WATCH@", ""], ["@PARID_TITLE@", title], ["@PARID_DATA@", between(rest, 'id="data">', "</script>")], ["@PARID_PROGRAMS@", between(rest, '<script type="module">', "</script>")]])
    plain = plain.split(mark).join(value);
  return plain;
}
{
  const plain = plainPage("puma560");
  const file = join(pages, "plain.html");
  writeFileSync(file, plain);
  const page = await browser.newPage();
  const trouble = [];
  page.on("console", (m) => { if (m.type() === "error") trouble.push(m.text()); });
  page.on("pageerror", (e) => trouble.push(String(e)));
  await page.goto(pathToFileURL(file).href, { timeout: 180000 });
  check("plain: it says that it is", (await page.textContent(".plain")).includes("this is a test"));
  await goTo(page, 97);
  const assumed = await page.textContent("#model");
  check("plain: it states what it assumes", ["bearings and drives", "payloadnone", "basefixed", "motiondhanaraj"].every((part) => assumed.includes(part)), assumed);
  const table = limitsOf("puma560", "--motion", "dhanaraj");
  check("plain: there is a row per joint in the verdict", (await page.$$("#verdict-table tbody tr")).length === table.joints.length);
  check("plain: the answer is that of parid limits", (await page.textContent("#verdict-table .answer")).startsWith(table.holds === null ? "UNKNOWN" : table.holds ? "YES" : "NO"));
  await agrees(page, "plain", JSON.parse(run("torque", "puma560", "--motion", "dhanaraj", "--friction", "--json")), 97);
  for (const heading of ["Verdict", "Motion", "Try it", "Friction", "Studies of the computation", "Formulations", "Schedule", "Pipeline", "Control", "Stability"])
    check(`plain: there is ${heading}`, (await page.$$eval("h2", (all) => all.map((h) => h.textContent))).includes(heading));
  check("plain: it works out torques", (await page.$$eval("[data-live]", (c) => c.map((x) => x.textContent))).every((x) => Number.isFinite(Number(x))));
  check("plain: no errors", trouble.length === 0, trouble.join("; "));
  await page.close();
}

// ---- names that would like to be more than names
{
  const evil = "<script>globalThis.caught=1</script>", img = "<img src=x onerror=globalThis.caught=1>";
  const text = (s) => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
  const file = join(pages, "evil.urdf");
  const inertial = '<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>';
  const named = (n) => `<link name="${text(n)}">${inertial}</link>`;
  writeFileSync(file, `<robot name="${text(`${evil}@PARID_DATA@`)}"><link name="base"/>${named(evil)}${named(img)}
    <joint name="${text(`</script>${img}`)}" type="revolute"><parent link="base"/><child link="${text(evil)}"/><axis xyz="0 0 1"/><origin xyz="0 0 0.3"/><limit lower="-1" upper="1" effort="10" velocity="1"/></joint>
    <joint name="\\u003c!--" type="revolute"><parent link="${text(evil)}"/><child link="${text(img)}"/><axis xyz="0 1 0"/><origin xyz="0 0 0.4"/><limit lower="-1" upper="1" effort="10" velocity="1"/></joint></robot>`);
  const { page, quiet } = await open("evil", [file, "--schedule", "2", "--pipeline", "--force"]);
  check("evil: nothing of the robot's file was run", (await page.evaluate(() => globalThis.caught)) === undefined);
  check("evil: no image was made", (await page.$$("img")).length === 0);
  const links = await page.textContent("#links");
  check("evil: links are named as the file names them", links.includes(evil) && links.includes(img), links);
  check("evil: so is the robot", (await page.textContent("h1")) === `${evil}@PARID_DATA@`, await page.textContent("h1"));
  check("evil: and its joints", (await page.$$eval("#now-table tbody th", (c) => c.map((x) => x.textContent))).join() === `</script>${img},\\u003c!--`);
  check("evil: the text of the page has no such tag", !readFileSync(join(pages, "evil.html"), "utf8").includes(evil));
  await walks(page, "evil");
  quiet();
  await page.context().close();
}

// ---- the verdict: the figures of parid limits, and curves with limits, zoom and read-out
{
  const words = ["ur5", "--payload", "20", "--motion", "together"];
  const { page, quiet, said } = await open("verdict", [...words, "--no-formulations"]);
  const limits = limitsOf(...words);
  check("verdict: parid report --json has the answer", said.holds === limits.holds && said.holds === false);
  check("verdict: the page says no", (await page.textContent("#answer")).startsWith("NO"));
  const rows = await page.$$eval("#verdict-table tbody tr", (all) => all.map((r) => ({ bad: r.classList.contains("bad"), cells: [...r.children].map((c) => c.textContent) })));
  check("verdict: one row per joint", rows.length === limits.joints.length);
  rows.forEach((r, k) => {
    const j = limits.joints[k];
    check(`verdict: ${j.name}`, r.cells[0] === j.name && near(number(r.cells[1].split("\u202f")[0].split(" ")[0]), j.peak, 1e-3 * Math.abs(j.peak)) && near(parseFloat(r.cells[2]), j.t, 1e-3) && near(number(r.cells[3]), j.rms, 1e-3 * j.rms) &&
      near(parseFloat(r.cells[5]), 100 * j.share, 0.51) && r.bad === (j.effort.holds === false), JSON.stringify(r));
  });
  const bad = await page.$eval("#verdict-table tr.bad .broken", (e) => getComputedStyle(e).color), good = await page.$eval("#verdict-table tr:not(.bad) .used", (e) => getComputedStyle(e).color);
  check("verdict: what is exceeded has another colour", bad !== good, `${bad} ${good}`);
  await page.click("#verdict-table tr.bad button");
  check("verdict: its time shows the robot there", (await page.textContent("#now")).includes("t = 1.02"), await page.textContent("#now"));

  // Curves: the pointer reads values, dragging zooms, a double click resets, names hide, "only" shows one alone.
  const plot = page.locator(".plots .plot").first(), over = plot.locator(".u-over");
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox(), y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.51, y);
  const read = await plot.locator(".readout").innerText();
  const shownLift = Number(read.split("\n").join(" ").replace(/\u2212/g, "-").match(/shoulder_lift\s+(-?[\d.]+)/)?.[1]);
  check("verdict: the read-out has the torques at the pointer", near(shownLift, -234.1, 1) && read.includes("t = 1.0"), read);
  const range = () => page.evaluate(() => globalThis.paridPage.motion.clock.range);
  await page.mouse.move(box.x + box.width * 0.25, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, y);
  await page.mouse.move(box.x + box.width * 0.5, y);
  await page.mouse.up();
  const zoomed = await range();
  check("verdict: dragging zooms", zoomed !== null && near(zoomed[0], 0.5, 0.02) && near(zoomed[1], 1, 0.02), String(zoomed));
  check("verdict: a button leads back", await page.isVisible("#reset-zoom"));
  await page.mouse.dblclick(box.x + box.width * 0.5, y);
  check("verdict: a double click shows all again", (await range()) === null && !(await page.isVisible("#reset-zoom")));
  const visible = () => page.evaluate(() => [0, 1, 2, 3, 4, 5].filter((k) => globalThis.paridPage.selection.shows(k)).join());
  await page.click("#now-table button.curve:has-text('elbow')");
  check("verdict: a name hides its curves", (await visible()) === "0,1,3,4,5", await visible());
  await page.click("#now-table tr:nth-child(2) .solo");
  check("verdict: one can be shown alone", (await visible()) === "1", await visible());
  await page.click("#now-table tr:nth-child(2) .solo");
  check("verdict: and the others return", (await visible()) === "0,1,3,4,5", await visible());
  await page.click("#now-table button.curve:has-text('elbow')");
  check("verdict: curves that coincide are named", (await page.textContent(".plots")).includes("coincide"));
  // The velocity's limits are far from the curves.
  const ink = () => page.evaluate(() => { const c = document.querySelectorAll(".plots canvas")[1]; return [...c.getContext("2d").getImageData(0, 0, c.width, c.height).data].reduce((s, x) => (s * 31 + x) % 1000000007, 7); });
  const without = await ink();
  await page.check("#scale-limits");
  await page.waitForTimeout(100);
  check("verdict: plots scale to limits", (await ink()) !== without);
  quiet();
  await page.context().close();
}

// ---- no limit given; many joints: groups and a filter; a floating base
{
  const { page, quiet } = await open("humanoid", ["humanoid", "--no-formulations"]);
  const listed = () => page.$$eval("#now-table tbody tr", (rows) => rows.filter((r) => r.checkVisibility()).length);
  check("humanoid: curves of one group are listed first", (await listed()) < 12, String(await listed()));
  check("humanoid: the verdict lists all joints", (await page.$$eval("#verdict-table tbody tr", (rows) => rows.filter((r) => r.checkVisibility()).length)) === 38);
  await page.click("#all-joints");
  check("humanoid: all can be listed", (await listed()) === 38);
  await page.fill("#filter", "knee");
  check("humanoid: names are filtered", (await listed()) === 2, String(await listed()));
  await page.click(".chip:has-text('neck')");
  check("humanoid: a group is chosen", (await listed()) < 12 && (await page.inputValue("#filter")) === "");
  const height = await page.evaluate(() => { const { stage } = globalThis.paridPage; return stage.heightAboveFloor(stage.floatingBase()); });
  const feet = await page.evaluate(() => { const { stage } = globalThis.paridPage; return Math.min(...stage.kinematics.robot.links.map((_, k) => stage.heightAboveFloor(k))); });
  check("humanoid: it floats above the floor", feet > 0.1 && height > feet, `${feet} ${height}`);
  check("humanoid: the page says so", (await page.textContent(".view")).includes("floating base"));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.waitForTimeout(300);
  const cut = await page.evaluate(() => [...document.querySelectorAll("#verdict-table, #now-table")].filter((t) => t.getBoundingClientRect().right > innerWidth).map((t) => t.id));
  check("humanoid: narrow, no column is cut off", cut.length === 0 && (await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)), cut.join());
  quiet();
  await page.context().close();
}
{
  const { page, quiet } = await open("unlimited", ["scara", "--no-formulations"]);
  const limits = limitsOf("scara");
  check("unlimited: missing limits are named", limits.limits_missing.effort.length === 0 || ((await page.textContent("#answer")).startsWith("UNKNOWN") && (await page.textContent("#verdict-table")).includes("no limit given")));
  quiet();
  await page.context().close();
}

// ---- two payloads, and two robots, side by side
{
  const { page, quiet } = await open("compare", ["ur5", "--payload", "5", "--compare-payload", "none", "--no-formulations"]);
  const peaks = (extra) => limitsOf("ur5", ...extra).joints.map((j) => Math.abs(j.peak));
  const [a, b] = [peaks(["--payload", "5"]), peaks([])];
  const rows = await page.$$eval("#compare-table tbody tr", (all) => all.map((r) => [...r.children].map((c) => c.textContent)));
  check("compare: peaks of both runs", rows.length === 6 && rows.every((r, k) => near(number(r[1]), a[k], 1e-3 * a[k] + 1e-9) && near(number(r[2]), b[k], 1e-3 * b[k] + 1e-9)), JSON.stringify(rows));
  check("compare: differing assumptions are marked", (await page.textContent("#compare-assumptions .differs")).includes("5 kg"));
  await page.click("#compare-table tbody tr:nth-child(3) button");
  check("compare: a joint is chosen", (await page.inputValue("#compare-joint")) === "2");
  quiet();
  const file = join(pages, "plain-compare.html");
  writeFileSync(file, plainPage("compare"));
  await page.goto(pathToFileURL(file).href);
  const shownPlain = await page.$$eval("section:has(h2) table", (all) => all.map((t) => t.textContent).join());
  check("compare: the plain page has it too", (await page.$$eval("h2", (all) => all.map((h) => h.textContent))).includes("Comparison") && shownPlain.includes("no payload"));
  await page.context().close();
}
{
  const { page, quiet } = await open("robots", ["puma560", "--compare", "ur5", "--no-formulations"]);
  check("compare: robots with other names are paired in order", (await page.$$("#compare-table tbody tr")).length === 6 && (await page.textContent("#compare-table")).includes("joint1 / shoulder_pan"));
  quiet();
  await page.context().close();
}

// ---- parid report --serve: the page is reloaded when its file changes, and shows errors of the file
{
  const arm = join(pages, "served.toml"), good = readFileSync(join(web, "..", "robots", "planar2.toml"), "utf8");
  writeFileSync(arm, good);
  const server = spawn(parid, ["report", arm, "--no-formulations", "--serve", "--port", "0"], { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  const url = await new Promise((done, fail) => {
    server.stdout.on("data", (text) => { out += text; const m = out.match(/http:\/\/127\.0\.0\.1:\d+\//); if (m) done(m[0]); });
    server.on("exit", () => fail(new Error(`the server ended: ${out}`)));
  });
  const page = await browser.newPage();
  const trouble = [];
  page.on("pageerror", (e) => trouble.push(String(e)));
  await page.goto(url, { timeout: 180000 });
  await page.waitForSelector("#verdict-table", { timeout: 60000 });
  check("serve: the page is served", (await page.textContent("h1")) === "planar2");
  const lines = good.split("\n"), broken = lines.map((l) => (l.startsWith("name = ") ? "name = <b>" : l)).join("\n");
  writeFileSync(arm, broken);
  await page.waitForFunction(() => { const bar = document.getElementById("watch"); return bar && !bar.hidden && bar.textContent.includes("served.toml"); }, null, { timeout: 60000 });
  check("serve: an error of the file is shown as text", (await page.$$("#watch b")).length === 0 && (await page.$("#verdict-table")) !== null);
  writeFileSync(arm, good.replace('name = "planar2"', 'name = "corrected"'));
  await page.waitForFunction(() => document.querySelector("h1")?.textContent === "corrected" && document.querySelector("#verdict-table"), null, { timeout: 60000 });
  check("serve: the next save corrects it", !(await page.isVisible("#watch")));
  check("serve: no errors in the page", trouble.length === 0, trouble.join("; "));
  const ended = new Promise((done) => server.once("exit", (code) => done(code)));
  server.kill("SIGINT");
  check("serve: Ctrl-C ends it", (await ended) === 0);
  await page.close();
}

// ---- robots of other kinds
for (const [name, words] of [["stanford", ["stanford"]], ["quadruped", ["quadruped"]], ["scara", ["scara", "--motion", "in-turn"]]]) {
  const { page, quiet } = await open(name, [...words, ...(name === "quadruped" ? [] : ["--no-formulations"])]);
  for (const width of [1300, 1100, 1000, 600, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await page.waitForTimeout(300);
    const wide = await page.evaluate(() => [...document.querySelectorAll(".scroll")].filter((s) => s.querySelector("table") && s.scrollWidth > s.clientWidth).map((s) => `${s.querySelector("table").id || s.closest("section").id} ${s.scrollWidth} > ${s.clientWidth}`));
    check(`${name}: at ${width} px no table scrolls sideways`, wide.length === 0, wide.join());
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await goTo(page, 77);
  await agrees(page, name, JSON.parse(run("torque", ...words, "--json")), 77);
  check(`${name}: the canvas is not blank`, (await shades(page)).count > 20);
  await walks(page, name);
  await page.click("#tab-live");
  await page.click("#take");
  const own = (await page.$$eval("[data-live]", (cells) => cells.map((c) => c.textContent))).map(number), along = (await shown(page, "tau")).map(number);
  check(`${name}: the page's own torques are the motion's`, own.every((x, k) => near(x, along[k], 1.1e-4)), `${own} and ${along}`);
  quiet();
  await page.context().close();
}

// ---- without friction, with a payload, floating
{
  const { page, quiet } = await open("payload", ["panda", "--payload", "1.5", "--gravity", "0,0,-1.62", "--no-formulations"]);
  const model = await page.textContent("#model");
  check("payload: the page names it", /1\.5 kg on link '.*'basefixedgravity\(0, 0, -1\.62\)/.test(model), model);
  check("payload: no rigid column beside rigid torques", (await shown(page, "rigid")).length === 0);
  await page.click("#tab-live");
  check("payload: the sliders' torques name it", (await page.textContent(".live .says")).includes("payload of 1.5 kg"));
  quiet();
  await page.context().close();
}

// ---- ten thousand samples
{
  const rows = ["t,q1,q2,v1,v2,a1,a2"];
  for (let k = 0; k < 10000; ++k) {
    const t = k * 1e-3;
    rows.push([t, Math.sin(t), Math.cos(2 * t), Math.cos(t), -2 * Math.sin(2 * t), -Math.sin(t), -4 * Math.cos(2 * t)].join());
  }
  const csv = join(pages, "long.csv");
  writeFileSync(csv, rows.join("\n") + "\n");
  const { page, quiet } = await open("long", ["planar2", csv, "--no-formulations"]);
  const cost = await page.evaluate(() => {
    const { clock } = globalThis.paridPage.motion, start = performance.now();
    for (let k = 0; k < 200; ++k) clock.go(50 * k);
    return (performance.now() - start) / 200;
  });
  console.log(`     a step of the slider through 10000 samples takes ${cost.toFixed(2)} ms, drawing apart`);
  await goTo(page, 9999);
  await agrees(page, "long", JSON.parse(run("torque", "planar2", csv, "--json")), 9999);
  quiet();
  await page.context().close();
}

await browser.close();
console.log(failures > 0 ? `${failures} failed` : "all is well");
process.exit(failures > 0 ? 1 : 0);
