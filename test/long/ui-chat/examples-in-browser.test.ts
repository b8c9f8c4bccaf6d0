import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { closePage, hasBrowser, openPage, startBrowser, type TestBrowser } from "../../support/browser.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

const web = join(import.meta.dirname, "../../../examples/support-desk/web");

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});
let browser: TestBrowser;
beforeAll(async () => {
  if (hasBrowser) browser = await startBrowser();
});
afterAll(() => browser?.close());

const plain = async () => readFileSync(join(web, "plain.html"), "utf8");
const react = () => pageOf({ entryPoints: [join(web, "chat.jsx")] });
async function pageOf(entry: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    ...entry,
    ...{ bundle: true, write: false, format: "esm", jsx: "automatic", logLevel: "error" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const script = outputFiles?.[0]?.text.replaceAll("</script", "<\\/script") ?? "";
  return `<!doctype html><meta charset="utf-8"><div id="root"></div><script type="module">${script}</script>`;
}

describe.skipIf(!hasBrowser).each([
  ["without a build", plain],
  ["in React", react],
] as const)("the chat of the support desk %s", (_, htmlOf) => {
  test.for([
    ["Allow", /output-available|allowed/],
    ["Refuse", /output-denied|refused/],
  ] as const)("streams an answer, and asks for a decision: %s", async ([button, outcome]) => {
    const html = await htmlOf();
    const { page, faults } = await openPage(browser);
    await page.route("**/example", (route) => route.fulfill({ contentType: "text/html", body: html }));
    const token = platform.token("maria", ["agents:run"]);
    await page.goto(`${platform.url}/example#agent=refund-desk&token=${token}`);
    const messages = page.getByRole("list", { name: "Messages" });
    const say = async (text: string) => {
      await page.getByLabel("Message", { exact: true }).fill(text);
      await page.getByRole("button", { name: "Send" }).click();
    };
    await say("Hello page, in words");
    await expect.poll(() => messages.textContent()).toMatch(/Hello page, in words.*Hello page, in words/s);
    await say('[[tool:issue_refund {"order_id":"7","amount":3}]]');
    await page.getByRole("button", { name: button }).click();
    await expect.poll(() => messages.textContent()).toMatch(outcome);
    await expect.poll(() => messages.getByRole("listitem").count()).toBeGreaterThan(3);
    expect(faults).toEqual([]);
    await closePage(page);
  });
});

describe.skipIf(!hasBrowser)("what the guide says to paste", () => {
  /** The component of a page of the guide, in a page of this platform that has a token. */
  const pasted = (guide: string, agent: string) => {
    const text = readFileSync(join(web, `../../../docs/guide/connect/${guide}.md`), "utf8");
    const [, code = ""] = /^```jsx\n(.*?)^```$/ms.exec(text) ?? [];
    const contents = `
      import { createRoot } from "react-dom/client";
      const token = ${JSON.stringify(platform.token(`pastes-${guide}`, ["agents:run"]))};
      ${code.replace("http://127.0.0.1:7777/agents/assistant", `${platform.url}/agents/${agent}`)}
      createRoot(document.querySelector("#root")).render(<Page />);`;
    return pageOf({ stdin: { contents, loader: "jsx", resolveDir: web } });
  };
  const open = async (guide: string, agent: string) => {
    const html = await pasted(guide, agent);
    const { page, faults } = await openPage(browser);
    await page.route("**/pasted", (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.goto(`${platform.url}/pasted`);
    const say = async (text: string) => {
      await page.getByRole("textbox").fill(text);
      await page.getByRole("textbox").press("Enter");
    };
    return { page, faults, say };
  };

  test.for(["use-chat", "assistant-ui"])("shows an answer below its question: %s", async (guide) => {
    const { page, faults, say } = await open(guide, "assistant");
    await say("Hello page, in words");
    await page.getByText("You said: Hello page, in words").waitFor();
    expect(faults).toEqual([]);
    await closePage(page);
  });

  test.for([
    ["Allow", "Refunded 3"],
    ["Refuse", "refused"],
  ] as const)("asks for a decision with useChat: %s", async ([button, outcome]) => {
    const { page, faults, say } = await open("use-chat", "refund-desk");
    await say('[[tool:issue_refund {"order_id":"7","amount":3}]]');
    await page.getByRole("button", { name: button }).click();
    await page.getByText(outcome).waitFor();
    expect(faults).toEqual([]);
    await closePage(page);
  });
});
