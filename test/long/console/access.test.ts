import { expect } from "vitest";
import { createClient } from "../../../client/index.ts";
import { write } from "../../../shared/data/index.ts";
import { auditPut } from "../../../shared/stores/audit/audit-item.ts";
import { describeConsole } from "../../console/support/describe-console.ts";
import { closeConsole } from "../../console/support/open-console.ts";
import { test } from "../../support/shared-platform.ts";
import { viewStores } from "../../support/stored.ts";

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

    // The audit says who did it, and shows the record.
    const id = listed.data.find(({ name }) => name === "console-ci")?.id ?? "";
    await page.getByRole("navigation").getByRole("link", { name: "Audit" }).click();
    const rows = page.getByRole("row", { name: new RegExp(id) });
    const operations = () => rows.locator(".list-link .cut:first-child").allTextContents();
    await expect
      .poll(operations)
      .toEqual(expect.arrayContaining(["revokeServiceAccount", "mintServiceAccount"]));
    await page.getByRole("searchbox", { name: "Target" }).fill(id);
    await page.waitForURL(/target=/);
    await page.getByRole("searchbox", { name: "Operation" }).fill("mintServiceAccount");
    await page.waitForURL(/operation=mintServiceAccount/);
    await expect.poll(operations).toEqual(["mintServiceAccount"]);
    expect(await rows.textContent()).toContain("admin");
    await page.getByRole("searchbox", { name: "By", exact: true }).fill("another-user");
    await page.getByText("No record matches these filters").waitFor();
    await page.getByRole("searchbox", { name: "By", exact: true }).fill("admin");
    await rows.getByRole("link").click();
    await page.getByRole("heading", { name: "mintServiceAccount", level: 2 }).waitFor();
    await page.getByText("on_behalf_of").waitFor();
    await page.getByRole("button", { name: "Clear" }).first().click();
    await page.waitForURL(/\/audit$/);
    await closeConsole(opened);
  });

  test("the audit is read page by page, as its reader scrolls", async () => {
    const { db, close } = viewStores(at.platform);
    const principal = "console-audited";
    const record = (target: number) =>
      auditPut(db, { principal, operation: "renameSession", target: { session_id: `talk-${target}` } });
    for (let target = 1; target <= 120; target++) await write(db, record(target));
    close();
    const opened = await at.open({ path: `/audit?principal=${principal}` });
    const { page } = opened;
    await page.getByText("talk-120", { exact: true }).waitFor();
    const table = page.getByRole("table", { name: "Audit" });
    await page.locator(".list-scroll").evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await expect.poll(() => table.getAttribute("aria-rowcount")).toBe("121");
    await page.locator(".list-scroll").evaluate((list) => {
      list.scrollTop = list.scrollHeight;
    });
    await page.getByText("talk-1", { exact: true }).waitFor();
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

  test("an address of no page is said to be none, whatever its reader may see", async () => {
    const reader = at.asUser("console-lost", ["sessions:read"]).token;
    const none = "There is nothing at this address";
    for (const [token, path, title] of [
      [undefined, "/runs/assistant/and-no-more", none],
      [undefined, "/nowhere", none],
      [reader, "/nowhere", none],
      [reader, "/queue", "You may not see this screen"],
    ] as const) {
      const opened = await at.open({ path, ...(token !== undefined && { token }) });
      await opened.page.getByText(title).waitFor();
      await closeConsole(opened);
    }
  });
});
