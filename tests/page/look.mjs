// Opens a page in a real browser and tells, as one JSON object on standard output, what happened there.
// node look.mjs <folder of node_modules> <browser> <page.html> <folder for pictures>
import { createRequire } from "node:module";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, browserPath, file, pictures] = process.argv.slice(2);
const require = createRequire(join(modules, "node_modules", "any.js"));
const puppeteer = require("puppeteer-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const browser = await puppeteer.launch({
  executablePath: browserPath,
  headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none"],
});
const seen = { console: [], requests: [], dialogs: [], errors: [], violations: {}, sizes: {} };
const page = await browser.newPage();
page.on("console", (message) => seen.console.push(message.text()));
page.on("pageerror", (error) => seen.errors.push(String(error)));
page.on("dialog", async (dialog) => {
  seen.dialogs.push(dialog.message());
  await dialog.dismiss();
});
page.on("request", (request) => {
  if (!request.url().startsWith("data:")) seen.requests.push(request.url());
});

async function open(scheme, width = 1180, height = 860) {
  await page.setViewport({ width, height, deviceScaleFactor: 1 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(pathToFileURL(file).href, { waitUntil: "load" });
}

async function picture(name, options) {
  const path = join(pictures, `${name}.png`);
  await page.screenshot({ path, ...options });
  seen.sizes[name] = statSync(path).size;
}

// Accessibility, in both schemes.
for (const scheme of ["light", "dark"]) {
  await open(scheme);
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  seen.violations[scheme] = found.violations.map((rule) => ({
    id: rule.id,
    impact: rule.impact,
    nodes: rule.nodes.slice(0, 5).map((node) => `${node.target.join(" ")}: ${node.failureSummary}`),
  }));
  await picture(scheme);
  await picture(`${scheme}-whole`, { fullPage: true });
}
await open("light");
const screens = await page.$("section[aria-labelledby=screens]");
if (screens) await screens.screenshot({ path: join(pictures, "screens.png") });
await open("light", 390, 844);
await picture("narrow", { fullPage: true });
seen.overflows = await page.evaluate(
  () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
);

// The filter, by keyboard alone.
await open("light");
const shown = () =>
  page.evaluate(() =>
    Array.from(document.querySelectorAll("article.criterion"))
      .filter((card) => card.offsetParent !== null)
      .map((card) => card.querySelector(".id").textContent),
  );
const status = () => page.evaluate(() => document.querySelector(".status").textContent);
const tabTo = async (matches) => {
  for (let step = 0; step < 400; step += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((selector) => document.activeElement.matches(selector), matches)) return true;
  }
  return false;
};
seen.filter = { all: await shown(), reached: {} };
await page.keyboard.press("Tab");
seen.filter.skip = await page.evaluate(() => document.activeElement.className);
const dimension = "input[name=dimension][value=accessibility]";
if (await page.$(dimension)) {
  seen.filter.reached.dimension = await tabTo(dimension);
  await page.keyboard.press("Space");
  seen.filter.dimension = await shown();
  seen.filter.reached.words = await tabTo("input[name=words]");
  await page.keyboard.type("touch target");
  seen.filter.words = await shown();
  seen.filter.status = await status();
  seen.filter.reached.reset = await tabTo("button[type=reset]");
  await page.keyboard.press("Enter");
  await new Promise((resolve) => setTimeout(resolve, 50));
  seen.filter.reset = await shown();
}
seen.elements = await page.evaluate(() => ({
  scripts: document.querySelectorAll("script").length,
  loaded: document.querySelectorAll("iframe, object, embed, link, img, video, audio, base").length,
  handlers: Array.from(document.querySelectorAll("*")).filter((element) =>
    Array.from(element.attributes).some((attribute) => attribute.name.startsWith("on")),
  ).length,
  criteria: document.querySelectorAll("article.criterion").length,
}));

// On paper, and without script.
const paper = await page.pdf({ path: join(pictures, "paper.pdf"), format: "A4", printBackground: true });
seen.sizes.paper = paper.length;
await page.setJavaScriptEnabled(false);
await open("light");
await picture("plain");
await browser.close();
console.log(JSON.stringify(seen));
