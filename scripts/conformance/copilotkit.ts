/**
 * Runs the support desk's page of CopilotKit in Chromium against a platform of its own: `npm run conformance:copilotkit`. Needs npm
 * the first time (590 MB), and a browser. Prints what was seen, and exits with an error where that is not what it should be.
 */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { table } from "../../build/table.ts";
import { closePage, hasBrowser, openPage, startBrowser } from "../../test/support/browser.ts";
import { startPlatform } from "../../test/support/platform.ts";
import { npmFolder } from "./installed.ts";

const COPILOTKIT = "1.74.0";
const REACT = "19.3.1";
/** Its hint that direct agents need a licence in production. */
const LICENCE = /publicLicenseKey/;

if (!hasBrowser) throw new Error("a browser is needed: apt-get install chromium-headless-shell");
const folder = await npmFolder({
  "@copilotkit/react-core": COPILOTKIT,
  react: REACT,
  "react-dom": REACT,
});
const html = await pageOf("copilotkit.jsx");
const platform = await startPlatform();
const browser = await startBrowser();
const seen: (readonly [what: string, fault: string])[] = [];

type Opened = { readonly page: Page; readonly say: (text: string) => Promise<void> };

/** Does something with a page of its own. @param agent  that it talks to */
async function check(what: string, agent: string, look: (opened: Opened) => Promise<void>): Promise<void> {
  const { page, faults } = await openPage(browser);
  await page.route("**/example", (route) => route.fulfill({ contentType: "text/html", body: html }));
  const token = platform.token(`maria-${crypto.randomUUID()}`, ["agents:run"]);
  await page.goto(`${platform.url}/example#agent=${agent}&token=${token}`);
  const say = async (text: string) => {
    await page.getByRole("textbox").fill(text);
    await page.getByRole("textbox").press("Enter");
  };
  const outcome = await look({ page, say }).then(
    () => faults.filter((fault) => !LICENCE.test(fault)).join("; "),
    (error: Error) => error.message,
  );
  seen.push([what, outcome]);
  await closePage(page);
}

/** Text of an answer, whichever it is. */
const answer = (page: Page, text: string) =>
  page.getByTestId("copilot-assistant-message").filter({ hasText: text }).first().waitFor();

await check("an answer is shown, and the next one of the same thread", "assistant", async ({ page, say }) => {
  await say("Hello page, in words");
  await answer(page, "You said: Hello page, in words");
  await say("And again");
  await answer(page, "You said: And again");
});
await check(
  "a run is shown while it goes on: a call with its end, then the answer",
  "assistant",
  async (at) => {
    const { page, say } = at;
    await say('[[tool:add_numbers {"a":2,"b":3}]] [[sleep:3000]] [[answer:The rest]]');
    await page.getByTestId("copilot-tool-render-name").filter({ hasText: "add_numbers" }).waitFor();
    await page.getByTestId("copilot-tool-render-status").filter({ hasText: "Done" }).waitFor();
    const answers = await page.getByTestId("copilot-assistant-message").allTextContents();
    if (answers.join("").includes("The rest")) throw new Error("everything came at once");
    await answer(page, "The rest");
  },
);
for (const [button, said] of [
  ["Allow", "Refunded 3 for order 7"],
  ["Refuse", "refused"],
] as const) {
  await check(
    `a call that waits for a person is asked about, and goes on by "${button}"`,
    "refund-desk",
    async ({ page, say }) => {
      await say('[[tool:issue_refund {"order_id":"7","amount":3}]]');
      await page.getByText("May issue_refund be carried out?").waitFor();
      await page.getByRole("button", { name: button }).click();
      await answer(page, said);
      await page.getByRole("button", { name: button }).waitFor({ state: "detached" });
      await say("Thank you");
      await answer(page, "You said: Thank you");
    },
  );
}
await platform.stop();
console.log(`@copilotkit/react-core ${COPILOTKIT}\n`);
console.log(
  table(
    ["Seen in the page", ""],
    seen.map(([what, fault]) => [what, fault || "yes"]),
  ),
);
process.exit(seen.some(([, fault]) => fault !== "") ? 1 : 0);

/** @param name  of a page of the support desk, which is built where its packages are: there is one React then */
async function pageOf(name: string): Promise<string> {
  const entry = join(folder, name);
  cpSync(join(import.meta.dirname, "../../examples/support-desk/web", name), entry);
  const { outputFiles } = await build({
    ...{ entryPoints: [entry], bundle: true, write: false, outdir: folder, format: "esm", jsx: "automatic" },
    ...{ minify: true, logLevel: "error", define: { "process.env.NODE_ENV": '"production"' } },
    loader: { ".woff2": "empty", ".woff": "empty", ".ttf": "empty" },
  });
  const text = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
  const script = text(".js").replaceAll("</script", "<\\/script");
  return `<!doctype html><meta charset="utf-8"><style>${text(".css")}</style>
    <div id="root" style="height: 100vh"></div><script type="module">${script}</script>`;
}
