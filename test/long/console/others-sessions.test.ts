import type { Page } from "playwright-core";
import { expect } from "vitest";
import { describeConsole } from "../../console/support/describe-console.ts";
import { accessibilityFaults, closeConsole, overflows } from "../../console/support/open-console.ts";
import { test } from "../../support/shared-platform.ts";

describeConsole("a conversation of another user, in a browser", (at) => {
  /** A customer's conversation, and an operator who is not its user. */
  const conversationOf = async (customer: string, message: string) => {
    const { client } = at.asUser(customer, ["agents:read", "agents:run", "sessions:read"]);
    const path = { agent_id: "assistant" };
    const run = await client.createAgentRun({ path, body: { message, stream: false } });
    if (!("run_id" in run)) throw new Error("it answers with a run");
    const { token, client: operator } = at.asUser("whose-operator", ["platform:admin"]);
    const saidIn = async (session_id: string) =>
      (await operator.listAgentRuns({ path, query: { session_id } })).map(({ run_input, user_id }) => [
        run_input,
        user_id,
      ]);
    return { run, token, operator, saidIn };
  };
  const box = (page: Page) => page.getByRole("textbox", { name: /^Message to/ });
  const sessionIn = (page: Page) => decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");

  test("opens from its run as a copy in the operator's name, and stays as it is", async () => {
    const { run, token, saidIn } = await conversationOf("whose-clara", "where is my order");
    const { run_id = "", session_id = "" } = run;
    const opened = await at.open({ path: `/runs/agent/assistant/${session_id}/${run_id}`, token });
    const { page } = opened;
    await page.getByRole("button", { name: "Open in the playground" }).click();
    await page.waitForURL(/\/playground\/agent\/assistant\//);
    expect(sessionIn(page)).not.toBe(session_id);
    await page.getByText("A copy of the conversation of whose-clara, in your name.").waitFor();
    const clara = page.locator(".bubble-user .bubble-name", { hasText: "whose-clara" });
    expect(await clara.count()).toBe(1);
    await box(page).fill("and by train?");
    await box(page).press("Enter");
    await page.locator(".bubble-user .bubble-name", { hasText: "You" }).waitFor();
    await expect.poll(() => saidIn(sessionIn(page))).toContainEqual(["and by train?", "whose-operator"]);
    expect(await saidIn(session_id)).toEqual([["where is my order", "whose-clara"]]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await closeConsole(opened);
  });

  test("is only read by its address, until the operator says that they write into it; the audit says so", async () => {
    const { run, token, operator, saidIn } = await conversationOf("whose-dora", "my parcel is open");
    const { session_id = "" } = run;
    const path = `/playground/agent/assistant/${session_id}`;
    const opened = await at.open({ path, token, width: 390 });
    const { page } = opened;
    await page.getByText("You read the conversation of whose-dora.").waitFor();
    expect(await box(page).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Answer again" }).count()).toBe(0);
    expect(await page.locator(".bubble-user .bubble-name").allTextContents()).toEqual(["whose-dora"]);
    expect(await overflows(page)).toBe(false);
    await page.getByRole("button", { name: "Write into it" }).click();
    await page.getByRole("heading", { name: "Write into the conversation of whose-dora?" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: /^Write as part of/ }).click();
    await page.getByText("You write into the conversation of whose-dora.").waitFor();
    await box(page).fill("we send another one");
    await box(page).press("Enter");
    await expect.poll(async () => (await saidIn(session_id)).length).toBe(2);
    // It is recorded once the answer is.
    const asked = { target: session_id, operation: "createAgentRun" };
    await expect
      .poll(async () => (await operator.listAudit({ query: asked })).data)
      .toMatchObject([{ principal: "whose-operator", on_behalf_of: "whose-dora", outcome: "done" }]);
    await closeConsole(opened);
  });

  test("is only read beside another one too", async () => {
    const { run, token, saidIn } = await conversationOf("whose-emil", "my lamp is dark");
    const { session_id = "" } = run;
    const opened = await at.open({
      path: `/playground/compare?left=agent%2Fassistant&left_session=${session_id}`,
      token,
    });
    const { page } = opened;
    await page.getByText("You read the conversation of whose-emil.").waitFor();
    expect(await box(page).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Write into it" }).click();
    await page.getByRole("button", { name: /^Write as part of/ }).click();
    await page.getByText("You write into the conversation of whose-emil.").waitFor();
    await box(page).fill("take this one");
    await box(page).press("Enter");
    await expect.poll(async () => (await saidIn(session_id)).length).toBe(2);
    await closeConsole(opened);
  });

  test("whose run waits is continued in a second step; the audit says by whom", async () => {
    const { client } = at.asUser("whose-fay", ["agents:read", "agents:run", "sessions:read"]);
    const path = { agent_id: "refund-desk" };
    const message = '[[tool:issue_refund {"order_id":"A-7","amount":2}]]';
    const run = await client.createAgentRun({ path, body: { message, stream: false } });
    if (!("run_id" in run)) throw new Error("it answers with a run");
    const { run_id, session_id = "" } = run;
    const { token, client: operator } = at.asUser("whose-operator", ["platform:admin"]);
    const statusOf = async () =>
      (await operator.getAgentRun({ path: { ...path, run_id }, query: { session_id } })).status;
    const opened = await at.open({ path: `/runs/agent/refund-desk/${session_id}/${run_id}`, token });
    const { page } = opened;
    await page.getByText("It is a run of whose-fay").waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("heading", { name: "Continue the run of whose-fay?" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await statusOf()).toBe("PAUSED");
    await page.getByRole("button", { name: "Answer in whose-fay’s run" }).click();
    await expect.poll(statusOf).toBe("COMPLETED");
    const { data } = await operator.listAudit({ query: { target: run_id, operation: "continueAgentRun" } });
    expect(data).toMatchObject([{ principal: "whose-operator", on_behalf_of: "whose-fay", outcome: "done" }]);
    await closeConsole(opened);
  });
});
