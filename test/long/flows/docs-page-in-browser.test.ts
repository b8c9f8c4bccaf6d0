import { afterAll, beforeAll, describe, expect } from "vitest";
import {
  hasBrowser,
  type OpenPage,
  openPage,
  startBrowser,
  type TestBrowser,
} from "../../support/browser.ts";
import type { RunningPlatform } from "../../support/platform.ts";
import { test } from "../../support/shared-platform.ts";

describe.skipIf(!hasBrowser)("the page of the interface, in a browser", () => {
  let platform: RunningPlatform;
  let browser: TestBrowser;
  let opened: OpenPage;
  test.beforeAll(async ({ platform: shared }) => {
    platform = shared;
  });
  beforeAll(async () => {
    browser = await startBrowser();
    opened = await openPage(browser);
    await opened.page.goto(`${platform.url}/docs`);
    await opened.page.waitForSelector("#createAgentRun");
    await opened.page.fill("#token", platform.adminToken);
  });
  afterAll(() => browser?.close());

  /** The card of an operation, opened. */
  const cardOf = async (operation: string) => {
    const card = opened.page.locator(`#${operation}`);
    await opened.page.fill("#search", "");
    if ((await card.getAttribute("open")) === null) await card.locator("> summary").click();
    return card;
  };
  /** Sends what the card holds. @returns the status line and the body */
  const sent = async (operation: string) => {
    const card = await cardOf(operation);
    const status = card.locator("[role=status]");
    await card.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => status.textContent()).toMatch(/^\d{3} /);
    return {
      status: await status.textContent(),
      body: (await card.locator("pre").nth(0).textContent()) ?? "",
    };
  };

  test("its icon answers without a token", async () => {
    const icon = await fetch(`${platform.url}/favicon.ico`);
    expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  });

  test("the search finds an operation by its path and its words, and hides the others", async () => {
    const { page } = opened;
    await page.fill("#search", "fork session");
    await expect.poll(() => page.locator("#forkAgentSession").isVisible()).toBe(true);
    expect(await page.locator("#createAgentRun").isVisible()).toBe(false);
    await page.fill("#search", "/queue/jobs");
    expect(await page.locator("#listJobs").isVisible()).toBe(true);
    expect(await page.locator("#forkAgentSession").isVisible()).toBe(false);
    await page.fill("#search", "");
    expect(await page.locator("#createAgentRun").isVisible()).toBe(true);
  });

  test("a run is sent with fields of its form, and its answer is shown", async () => {
    const card = await cardOf("createAgentRun");
    await card.getByLabel("agent_id").fill("assistant");
    await card.getByLabel("message", { exact: true }).fill("hello from the page");
    await card.getByLabel("stream", { exact: true }).selectOption("false");
    const { status, body } = await sent("createAgentRun");
    expect(status).toMatch(/^200 /);
    expect(JSON.parse(body)).toMatchObject({ status: "COMPLETED", content: "You said: hello from the page" });
  });

  test("a header parameter is sent", async () => {
    const card = await cardOf("createAgentRun");
    await card.getByLabel("background", { exact: true }).selectOption("true");
    await card.getByLabel("Idempotency-Key").fill("from-the-page");
    const first = await sent("createAgentRun");
    const again = await sent("createAgentRun");
    expect(first.status).toMatch(/^202 /);
    expect(JSON.parse(again.body).run_id).toBe(JSON.parse(first.body).run_id);
    await card.getByLabel("background", { exact: true }).selectOption("");
    await card.getByLabel("Idempotency-Key").fill("");
  });

  test("files are sent with a run, and one of knowledge is uploaded", async () => {
    const file = { name: "answer.txt", mimeType: "text/plain", buffer: Buffer.from("The answer is 42.") };
    const card = await cardOf("createAgentRun");
    await card.getByLabel("files", { exact: true }).setInputFiles([file, { ...file, name: "other.txt" }]);
    const run = await sent("createAgentRun");
    expect(run.body).toContain("other.txt");
    const upload = await cardOf("addContent");
    await upload.getByLabel("file", { exact: true }).setInputFiles(file);
    const { status, body } = await sent("addContent");
    expect(status).toMatch(/^202 /);
    expect(JSON.parse(body)).toMatchObject({ name: "answer.txt" });
  });

  test("its fields say what they mean", async () => {
    const card = await cardOf("createAgentRun");
    expect(await card.textContent()).toContain("The same key again begins nothing");
    expect(await card.textContent()).toContain("Waits for the answer, unless it is streamed");
  });

  test("nothing of all that broke its policy or showed an error", () => {
    expect(opened.faults).toEqual([]);
  });
});
