import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { closePage, hasBrowser, openPage, startBrowser, type TestBrowser } from "../../support/browser.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

/** The chat of the support desk with the components of assistant-ui, which runs agents by AG-UI. */

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});
let browser: TestBrowser;
let html: string;
beforeAll(async () => {
  if (!hasBrowser) return;
  browser = await startBrowser();
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "../../../examples/support-desk/web/assistant-ui.jsx")],
    ...{ bundle: true, write: false, format: "esm", jsx: "automatic", logLevel: "error" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const script = outputFiles[0]?.text.replaceAll("</script", "<\\/script") ?? "";
  html = `<!doctype html><meta charset="utf-8"><div id="root"></div><script type="module">${script}</script>`;
});
afterAll(() => browser?.close());

async function open(agent: string) {
  const user = `maria-${crypto.randomUUID()}`;
  const { page, faults } = await openPage(browser);
  await page.route("**/example", (route) => route.fulfill({ contentType: "text/html", body: html }));
  await page.goto(`${platform.url}/example#agent=${agent}&token=${platform.token(user, ["agents:run"])}`);
  const messages = page.getByRole("list", { name: "Messages" });
  const say = async (text: string) => {
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await page.getByRole("button", { name: "Send" }).click();
  };
  return { page, faults, messages, say };
}

describe.skipIf(!hasBrowser)("assistant-ui", () => {
  test("shows an answer as it is streamed, one after the other, and a call with its result", async () => {
    const { page, faults, messages, say } = await open("assistant");
    await say("Hello page, in words");
    await expect.poll(() => messages.textContent()).toMatch(/Hello page, in words.*You said: Hello page/s);
    await say('[[tool:add_numbers {"a":2,"b":3}]]');
    await expect.poll(() => messages.textContent()).toContain('add_numbers {"a":2,"b":3}: 5');
    await say("And again");
    await expect.poll(() => messages.textContent()).toContain("You said: And again");
    // The answer after the call is a message of its own.
    const shown = await messages.getByRole("listitem").allTextContents();
    expect(shown.toSpliced(4, 1)).toEqual([
      ...["Hello page, in words", "You said: Hello page, in words"],
      ...['[[tool:add_numbers {"a":2,"b":3}]]', 'add_numbers {"a":2,"b":3}: 5'],
      ...["And again", "You said: And again"],
    ]);
    expect(faults).toEqual([]);
    await closePage(page);
  });

  test.for([
    ["Allow", '"amount":3}: Refunded 3'],
    ["Refuse", '"amount":3}: refused'],
  ] as const)("asks for a decision by the buttons that it has for a call: %s", async ([button, outcome]) => {
    const { page, faults, messages, say } = await open("refund-desk");
    await say('[[tool:issue_refund {"order_id":"7","amount":3}]]');
    await page.getByRole("button", { name: button }).click();
    await expect.poll(() => messages.textContent()).toContain(outcome);
    await expect.poll(() => page.getByRole("button", { name: button }).count()).toBe(0);
    await say("Thank you");
    await expect.poll(() => messages.textContent()).toContain("You said: Thank you");
    expect(faults).toEqual([]);
    await closePage(page);
  });

  test("shows why a run has failed", async () => {
    const { page, say } = await open("assistant");
    await say("[[fail:no luck]]");
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("no luck");
    await closePage(page);
  });
});
