import { expect } from "vitest";
import { createClient } from "../../../client/index.ts";
import { describeConsole } from "../../console/support/describe-console.ts";
import { closeConsole } from "../../console/support/open-console.ts";
import { closePage } from "../../support/browser.ts";
import { test } from "../../support/shared-platform.ts";

const HOSTILE = `<img src=x onerror="document.title='broken'">`;

describeConsole("approvals, in the console", (at) => {
  const tokenOf = (sub: string) => at.platform.token(sub, ["agents:read", "agents:run", "approvals:read"]);

  /** A run in the background that waits for an approval. */
  async function paused(sub: string, account: string) {
    const client = createClient({ baseUrl: at.platform.url, token: tokenOf(sub) });
    const message = `[[tool:close_account ${JSON.stringify({ account })}]]`;
    const body = { message, background: true, stream: false };
    const run = await client.createAgentRun({ path: { agent_id: "account-desk" }, body });
    const found = async () => (await at.admin.listApprovals({ query: { run_id: run.run_id } })).data;
    await expect.poll(async () => (await found()).length).toBe(1);
    const [approval] = await found();
    const [path, query] = [{ agent_id: "account-desk", run_id: run.run_id }, { session_id: run.session_id }];
    return { id: approval?.id ?? "", run, read: () => at.admin.getAgentRun({ path, query }) };
  }
  const approvalOf = (approval_id: string) => at.admin.getApproval({ path: { approval_id } });

  test("one is approved with a note, and its run goes on to its answer", async () => {
    const { id, run, read } = await paused("console-asks", "K-7");
    const opened = await at.open({ path: "/approvals?user=console-asks" });
    const { page } = opened;
    await page.getByRole("link", { name: /close_account.*K-7/ }).click();
    await page.waitForURL(new RegExp(`id=${id}`));
    const panel = page.getByRole("region", { name: "Detail" });
    await panel.getByText("K-7", { exact: true }).waitFor();
    await panel.getByText("console-asks").waitFor();
    await panel.getByLabel("Note").fill("checked by telephone");
    await panel.getByRole("button", { name: "Approve" }).click();
    await panel.getByText(/Approved by admin/).waitFor();
    await panel.getByText("Account K-7 is closed.").waitFor();
    expect(await approvalOf(id)).toMatchObject({
      status: "approved",
      resolved_by: "admin",
      resolution_data: { note: "checked by telephone" },
    });
    await expect.poll(read).toMatchObject({ status: "COMPLETED", user_id: "console-asks" });
    await panel.getByRole("link", { name: "Open the run" }).last().click();
    await page.waitForURL(new RegExp(run.run_id));
    await closeConsole(opened);
  });

  test("one is approved with other arguments, which the tool's schema validates", async () => {
    const { id, read } = await paused("console-edits", "K-20");
    const opened = await at.open({ path: `/approvals?user=console-edits&id=${id}` });
    const { page } = opened;
    const panel = page.getByRole("region", { name: "Detail" });
    await panel.getByRole("button", { name: "Change the arguments of close_account" }).click();
    const editor = panel.getByLabel("Arguments of close_account");
    expect(JSON.parse(await editor.inputValue())).toEqual({ account: "K-20" });
    await editor.fill('{"account": ""}');
    await panel.getByRole("button", { name: "Approve" }).click();
    await page.getByText(/close_account\): account: /).waitFor();
    expect(await approvalOf(id)).toMatchObject({ status: "pending" });
    await editor.fill('{"account": "K-21"}');
    // The message of what was refused may lie over it.
    await panel.getByRole("button", { name: "Approve" }).press("Enter");
    await panel.getByText(/Approved by admin/).waitFor();
    await panel.getByText("Approved with these arguments instead:").waitFor();
    await panel.getByText("Account K-21 is closed.").waitFor();
    const { edited_args, tool_args } = await approvalOf(id);
    expect([tool_args, Object.values(edited_args ?? {})]).toEqual([
      { account: "K-20" },
      [{ account: "K-21" }],
    ]);
    await expect.poll(async () => (await read()).status).toBe("COMPLETED");
    await closePage(opened.page);
    // The browser notes the refused request.
    expect(opened.faults.filter((fault) => !/status of 400/.test(fault))).toEqual([]);
  });

  test("one is rejected by keys, after a confirmation, at the address of its run", async () => {
    const { id, run, read } = await paused("console-keys", "K-8");
    const opened = await at.open({ path: `/approvals?run=${run.run_id}` });
    const { page } = opened;
    await page.getByRole("button", { name: "Reject" }).waitFor();
    await page.keyboard.press("r");
    const asked = page.getByRole("dialog", { name: "Reject close_account?" });
    await asked.getByText("K-8").waitFor();
    expect(await approvalOf(id)).toMatchObject({ status: "pending" });
    await asked.getByRole("button", { name: "Reject" }).click();
    await page.getByText(/Rejected by admin/).waitFor();
    expect(await approvalOf(id)).toMatchObject({ status: "rejected", resolved_by: "admin" });
    await expect.poll(async () => (await read()).status).toBe("COMPLETED");
    await closeConsole(opened);

    const history = await at.open({
      path: "/approvals?status=rejected&user=console-keys",
    });
    await history.page.getByRole("row", { name: /K-8/ }).getByText("by admin").waitFor();
    await closeConsole(history);
  });

  test("two clicks on one button decide one: what was decided stays in view until the next is asked for", async () => {
    const older = await paused("console-double", "K-10");
    const newer = await paused("console-double", "K-11");
    const opened = await at.open({ path: "/approvals?user=console-double" });
    const { page } = opened;
    const approve = page.getByRole("button", { name: "Approve" });
    // What is read of its run moves the button down.
    await page.getByText("Cost so far").waitFor();
    await approve.hover();
    const place = await approve.boundingBox();
    if (!place) throw new Error("the button has no place");
    const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
    await approve.click();
    await page.getByText(/Approved by admin/).waitFor();
    await page.mouse.click(x, y);
    await page.getByRole("button", { name: "Next approval" }).waitFor();
    const statuses = async () => [(await approvalOf(newer.id)).status, (await approvalOf(older.id)).status];
    expect((await statuses()).toSorted()).toEqual(["approved", "pending"]);
    await page.getByRole("button", { name: "Next approval" }).click();
    await approve.waitFor();
    await closeConsole(opened);
  });

  test("j and k go through the list, and filters are in the address", async () => {
    const older = await paused("console-list", "K-1");
    const newer = await paused("console-list", "K-2");
    const opened = await at.open({ path: "/approvals?user=console-list" });
    const { page } = opened;
    await page.getByRole("link", { name: /K-1/ }).waitFor();
    await page.keyboard.press("j");
    await page.waitForURL(new RegExp(`id=${older.id}`));
    await page.keyboard.press("k");
    await page.waitForURL(new RegExp(`id=${newer.id}`));
    await page.getByRole("button", { name: /Component/ }).click();
    await page.getByRole("option", { name: /Refund desk/ }).click();
    await page.waitForURL(/component=agent%3Arefund-desk/);
    await page.getByText("No approval matches these filters").waitFor();
    await closeConsole(opened);
  });

  test("a user sees their own, and who decides; what they wrote is text", async () => {
    await paused("console-own", HOSTILE);
    await paused("console-foreign", "K-99");
    const opened = await at.open({
      path: "/approvals",
      token: tokenOf("console-own"),
    });
    const { page } = opened;
    await page.getByRole("link", { name: /img src=x/ }).click();
    await page.getByText(/A user with the scope “approvals:write” decides/).waitFor();
    await expect.poll(() => page.getByText("K-99").count()).toBe(0);
    await expect.poll(() => page.getByRole("button", { name: "Approve" }).count()).toBe(0);
    await expect.poll(() => page.locator("img[src='x']").count()).toBe(0);
    expect(await page.title()).not.toBe("broken");
    await closeConsole(opened);
  });
});
