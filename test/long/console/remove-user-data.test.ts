import { expect } from "vitest";
import { describeConsole } from "../../console/support/describe-console.ts";
import { accessibilityFaults, closeConsole, overflows } from "../../console/support/open-console.ts";
import { test } from "../../support/shared-platform.ts";

describeConsole("everything of a user, in the console", (at) => {
  test("is counted, deleted by one act of an admin who types whose it is, and shown to be gone", async () => {
    const user = "console-leaver";
    const { client, token } = at.asUser(user, [
      ...["agents:read", "agents:run", "sessions:read", "sessions:delete", "memories:write"],
    ]);
    const path = { agent_id: "assistant" };
    for (const message of ["remember the harbour", "and the ship"])
      await client.createAgentRun({ path, body: { message, stream: false } });
    await client.createMemory({ body: { memory: "Sails." } });
    const opened = await at.open({ path: "/", width: 390 });
    const { page } = opened;
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /^Screen, component/ }).fill(user);
    await page.getByRole("option", { name: `Everything of the user “${user}”` }).click();
    await page.waitForURL(/\/sessions\?user=console-leaver/);
    await page.getByRole("link", { name: /remember the harbour/ }).waitFor();

    await page.getByRole("button", { name: `Delete everything of ${user}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Stored now: 2 sessions, 1 memory.").waitFor();
    const act = dialog.getByRole("button", { name: `Delete everything of ${user}` });
    expect(await act.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type “${user}” to delete it`).fill("console-other");
    expect(await act.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type “${user}” to delete it`).fill(user);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await act.click();
    await dialog.getByText(/^It is being deleted.*Deleted so far: 2 sessions, 1 memory/).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await page.getByText("No session matches these filters").waitFor();
    await expect.poll(async () => (await client.listSessions()).data, { timeout: 30_000 }).toEqual([]);
    await closeConsole(opened);

    const own = await at.open({ path: `/sessions?user=${user}`, token });
    await own.page.getByRole("heading", { name: "Sessions" }).waitFor();
    await expect.poll(() => own.page.getByRole("button", { name: /^Delete everything/ }).count()).toBe(0);
    await closeConsole(own);
  });

  test("the list is read again where the removal was completed between two looks at it", async () => {
    const user = "console-gone";
    const { client } = at.asUser(user, ["agents:run", "sessions:read"]);
    const body = { message: "remember the pier", stream: false } as const;
    await client.createAgentRun({ path: { agent_id: "assistant" }, body });
    const opened = await at.open();
    const { page } = opened;
    await page.clock.install();
    // The list as it was, until all is over; then the removal is completed, which takes minutes.
    let isOver = false;
    let asItWas: string | undefined;
    await page.route(
      ({ pathname }) => pathname === "/sessions",
      async (route) => {
        const response = await route.fetch();
        asItWas ??= await response.text();
        await route.fulfill({ response, body: isOver ? await response.text() : asItWas });
      },
    );
    await page.route(/\/users\/console-gone/, async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const { removal } = answer;
      await route.fulfill({
        response,
        json: isOver ? { ...answer, removal: { ...removal, status: "completed" } } : answer,
      });
    });
    await page.goto(`${at.platform.url}/console/sessions?user=${user}`);
    await page.getByRole("link", { name: /remember the pier/ }).waitFor();
    await page.getByRole("button", { name: `Delete everything of ${user}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(`Type “${user}” to delete it`).fill(user);
    await dialog.getByRole("button", { name: `Delete everything of ${user}` }).click();
    await dialog.getByText(/^It is being deleted/).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect.poll(async () => (await client.listSessions()).data).toEqual([]);
    isOver = true;
    const none = page.getByText("No session matches these filters");
    const seen = async () => {
      await page.clock.runFor(2_000);
      return none.count();
    };
    await expect.poll(seen).toBe(1);
    await closeConsole(opened);
  });
});
