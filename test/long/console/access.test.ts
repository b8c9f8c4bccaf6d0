import { expect } from "vitest";
import { createClient } from "../../../client/index.ts";
import { describeConsole } from "../../console/support/describe-console.ts";
import { closeConsole } from "../../console/support/open-console.ts";
import { test } from "../../support/shared-platform.ts";

describeConsole("access, in the console", (at) => {
  test("a token is minted with chosen scopes, shown once, used and revoked", async () => {
    const opened = await at.open({ path: "/access" });
    const { page } = opened;
    await page.getByRole("button", { name: "Mint an account" }).click();
    await page.getByLabel("Name").fill("console-ci");
    await page.locator("label", { hasText: "sessions:read" }).click();
    await page.locator("label", { hasText: "memories:delete" }).click();
    const mint = page.getByRole("button", { name: "Mint the account" });
    await expect.poll(() => mint.isDisabled()).toBe(true);
    await page.locator("label", { hasText: "I want that" }).click();
    await mint.click();
    const token = (await page.locator("[data-token]").textContent()) ?? "";
    const account = createClient({ baseUrl: at.platform.url, token });
    expect((await account.getMe()).scopes).toEqual(
      expect.arrayContaining(["agents:run", "sessions:read", "memories:delete"]),
    );
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "I have it" }).click();
    await expect.poll(() => page.getByText(token).count()).toBe(0);

    await page.getByRole("button", { name: "Revoke console-ci" }).click();
    await page.getByRole("button", { name: "Revoke the account" }).click();
    await page.getByText(/console-ci was revoked/).waitFor();
    const admin = at.admin;
    const listed = await admin.listServiceAccounts({ query: { include_revoked: true, limit: 100 } });
    expect(listed.data.find(({ name }) => name === "console-ci")?.revoked_at).toEqual(expect.any(Number));
    await expect.poll(() => page.getByRole("button", { name: "Revoke console-ci" }).count()).toBe(0);
    await closeConsole(opened);
  });

  test("a user reads in words what they may do, and is offered nothing else", async () => {
    const token = at.platform.token("console-reader", ["agents:run", "agents:librarian:read"]);
    const opened = await at.open({ path: "/access", token });
    const { page } = opened;
    await page.getByText("Run agents").waitFor();
    await page.getByText("See the agent librarian").waitFor();
    await page.getByText(/need the scope “service_accounts:read”/).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Mint an account" }).count()).toBe(0);
    await closeConsole(opened);
  });
});
