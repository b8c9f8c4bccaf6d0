import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../../client/index.ts";
import {
  accessibilityFaults,
  closeConsole,
  openConsole,
  overflows,
} from "../../console/support/open-console.ts";
import { hasBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { answering, type Receiver, startReceiver } from "../../support/receiver.ts";

// Its platform may send to this machine.
describe.skipIf(!hasBrowser)("webhooks, in the console", () => {
  let platform: TestPlatform;
  let receiver: Receiver;
  let browser: TestBrowser;
  beforeAll(async () => {
    receiver = await startReceiver();
    [platform, browser] = await Promise.all([
      startPlatform({
        env: { FETCH_ALLOWED_HOSTS: receiver.host, CONSOLE_NAME: "Production", CONSOLE_COLOUR: "red" },
      }),
      startBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
    await receiver?.stop();
  });

  test("an endpoint is added, pinged and given another secret; each secret is shown once", async () => {
    const opened = await openConsole(browser, platform, { path: "/webhooks" });
    const { page } = opened;
    const secret = async () => {
      const text = await page.locator("[data-secret]").textContent();
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "I have it" }).click();
      return text;
    };
    await page.getByRole("button", { name: "Add an endpoint" }).click();
    await page.getByLabel("Address").fill(receiver.url);
    await page.getByRole("button", { name: "Add the endpoint" }).click();
    const first = await secret();
    expect(first).toMatch(/^whsec_/);
    expect(await accessibilityFaults(page)).toEqual([]);

    const actions = page.getByRole("button", { name: `Actions for ${receiver.url}` });
    await actions.click();
    await page.getByRole("menuitem", { name: "Send a ping" }).click();
    await receiver.until(({ body }) => body.type === "ping");
    await actions.click();
    await page.getByRole("menuitem", { name: "Rotate the secret" }).click();
    await page.getByRole("button", { name: "Rotate the secret" }).click();
    const second = await secret();
    expect(second).toMatch(/^whsec_/);
    expect(second).not.toBe(first);
    await closeConsole(opened);
  });

  test("which events an endpoint is sent is changed, and what it is for", async () => {
    const opened = await openConsole(browser, platform, { path: "/webhooks", width: 1440, height: 900 });
    const { page } = opened;
    const row = page.getByRole("row").filter({ hasText: receiver.url });
    await row.getByText("all events of runs").waitFor();
    await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole("menuitem", { name: "Change it" }).click();
    const form = page.getByRole("dialog", { name: "Change the endpoint" });
    expect(await form.getByLabel("Address").inputValue()).toBe(receiver.url);
    for (const type of ["run.failed", "approval.created"])
      await form.getByText(type, { exact: true }).click();
    await form.getByLabel("Description (optional)").fill("Order desk");
    expect(await accessibilityFaults(page)).toEqual([]);
    await form.getByRole("button", { name: "Save the endpoint" }).click();
    await row.getByText("run.failed, approval.created").waitFor();
    await row.getByText(/Order desk/).waitFor();
    await closeConsole(opened);
  });

  test("the frame, the sign-in and the titles say which deployment it is, in its colour", async () => {
    for (const theme of ["light", "dark"] as const) {
      const opened = await openConsole(browser, platform, { path: "/webhooks", theme });
      const { page } = opened;
      await page.getByRole("navigation").getByText("Production", { exact: true }).waitFor();
      expect(await page.title()).toBe("Webhooks · Production");
      expect(await accessibilityFaults(page, "colours")).toEqual([]);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await page.getByText("Production", { exact: true }).waitFor();
      expect(await page.locator(".shell-name").getAttribute("data-colour")).toBe("red");
      await closeConsole(opened);
    }
  });

  test("a refused delivery shows the answer of its receiver, and is sent once more", async () => {
    receiver.decide(answering(400));
    const before = receiver.received.length;
    const opened = await openConsole(browser, platform, { path: "/webhooks", width: 390 });
    const { page } = opened;
    await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole("menuitem", { name: "Send a ping" }).click();
    await expect.poll(() => receiver.received.length).toBe(before + 1);
    await page.getByRole("tab", { name: "Deliveries" }).click();
    await page.locator("main a", { hasText: "ping" }).first().click();
    // It is delivered again by itself, after a while: then there are two answers.
    await page
      .getByText(/answered 400/)
      .first()
      .waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    const address = page.url();
    expect(address).toMatch(/view=deliveries.*id=/);
    receiver.decide();
    await page.getByRole("button", { name: "Redeliver" }).click();
    await page
      .getByText(/answered 204/)
      .first()
      .waitFor();

    // A receiver that is gone is not tried again: Home says so, one press away.
    receiver.decide(answering(410));
    await page.goto(`${platform.url}/console/webhooks`);
    await page.getByRole("button", { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole("menuitem", { name: "Send a ping" }).click();
    const admin = createClient({ baseUrl: platform.url, token: platform.adminToken });
    const failed = async () => (await admin.listWebhookDeliveries({ query: { status: "failed" } })).data;
    await expect.poll(async () => (await failed()).length).toBe(1);
    await page.goto(`${platform.url}/console`);
    await page.getByRole("link", { name: /^1 delivery failed within a day/ }).click();
    await page.waitForURL(/view=deliveries&status=failed/);
    await page.locator("main a", { hasText: "ping" }).click();
    await page
      .getByText(/answered 410/)
      .first()
      .waitFor();
    receiver.decide();
    await closeConsole(opened);
  });

  test("who may not read webhooks sees which scope is missing", async () => {
    const token = platform.token("console-no-hooks", ["agents:run"]);
    const opened = await openConsole(browser, platform, { path: "/webhooks", token });
    await opened.page.getByText(/takes the scope “webhooks:read”/).waitFor();
    await closeConsole(opened);
  });
});
