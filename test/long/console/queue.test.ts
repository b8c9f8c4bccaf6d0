import { expect } from "vitest";
import { createClient } from "../../../client/index.ts";
import { describeConsole } from "../../console/support/describe-console.ts";
import { closeConsole } from "../../console/support/open-console.ts";
import { test } from "../../support/shared-platform.ts";

const HOSTILE = `<img src=x onerror="document.title='broken'">`;
const REFUND = '[[tool:issue_refund {"order_id":"o-1","amount":5}]]';

describeConsole("the queue, in the console", (at) => {
  const jobOf = (job_id: string) => at.admin.getJob({ path: { job_id } });

  /** A run in the background whose job has come to a status. */
  async function job(sub: string, message: string, status: string, agent_id = "assistant") {
    const token = at.platform.token(sub, ["agents:read", "agents:run"]);
    const client = createClient({ baseUrl: at.platform.url, token });
    const body = { message, background: true, stream: false };
    const { run_id } = await client.createAgentRun({ path: { agent_id }, body });
    await expect.poll(async () => (await jobOf(run_id)).status).toBe(status);
    return run_id;
  }
  const statusesOf = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await jobOf(id)).status));

  test("a failed job is requeued from its details", async () => {
    const id = await job("console-fails", `once more ${HOSTILE} [[fail:the provider is down]]`, "failed");
    const opened = await at.open({ path: "/queue?status=failed&user=console-fails" });
    const { page } = opened;
    await page.getByRole("link", { name: /once more/ }).click();
    await page.waitForURL(new RegExp(`job=${id}`));
    await page.getByText("1 of 1", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Requeue", exact: true }).click();
    const asked = page.getByRole("dialog", { name: "Requeue this job?" });
    await asked.getByText("Even if it failed a moment ago").click();
    await asked.getByRole("button", { name: "Requeue the job" }).click();
    await page.getByText("The job is in the queue again.").waitFor();
    await expect.poll(async () => (await jobOf(id)).attempt).toBe(2);
    await page.getByText("2 of 2", { exact: true }).waitFor();
    await expect.poll(() => page.locator("img[src='x']").count()).toBe(0);
    expect(await page.title()).not.toBe("broken");
    await closeConsole(opened);
  });

  test("all that match are cancelled, after what would happen was shown", async () => {
    const ids = [
      await job("console-cancels", `${REFUND} one`, "paused", "refund-desk"),
      await job("console-cancels", `${REFUND} two`, "paused", "refund-desk"),
    ];
    const other = await job("console-stays", REFUND, "paused", "refund-desk");
    const opened = await at.open({
      path: "/queue?status=paused&user=console-cancels",
    });
    const { page } = opened;
    await page.getByText("2 jobs match").waitFor();
    await page.getByRole("button", { name: "Cancel all" }).click();
    const asked = page.getByRole("dialog", { name: "Cancel all paused jobs that match?" });
    await asked.getByText("2 jobs would be cancelled.").waitFor();
    expect(await statusesOf(ids)).toEqual(["paused", "paused"]);
    await asked.getByRole("button", { name: "Cancel 2 jobs" }).click();
    await page.getByText("2 jobs were cancelled.").waitFor();
    expect(await statusesOf([...ids, other])).toEqual(["cancelled", "cancelled", "paused"]);
    await closeConsole(opened);
  });

  test("those that are selected are requeued, and what is refused says why", async () => {
    const message = "select me [[fail:the provider is down]]";
    const ids = [
      await job("console-selects", message, "failed"),
      await job("console-selects", message, "failed"),
    ];
    const left = await job("console-selects", "leave me [[fail:the provider is down]]", "failed");
    const opened = await at.open({
      path: "/queue?status=failed&user=console-selects",
    });
    const { page } = opened;
    await page.getByText("3 jobs match").waitFor();
    for (const box of await page
      .getByRole("row", { name: /select me/ })
      .getByRole("checkbox")
      .all()) {
      await box.locator("..").locator("..").click();
    }
    await page.getByText("2 selected").waitFor();
    await page.getByRole("button", { name: "Requeue 2" }).click();
    const asked = page.getByRole("dialog", { name: "Requeue the 2 jobs that are selected?" });
    // They failed within the time in which their workers may still be at work.
    await asked.getByText("0 jobs would be requeued, 2 refused.").waitFor();
    await asked
      .getByText(/its worker may still be running/)
      .first()
      .waitFor();
    await asked.getByText("Even if it failed a moment ago").click();
    await asked.getByRole("button", { name: "Requeue 2 jobs" }).click();
    await page.getByText("2 jobs were requeued.").waitFor();
    for (const id of ids) await expect.poll(async () => (await jobOf(id)).attempt).toBe(2);
    expect((await jobOf(left)).attempt).toBe(1);
    await closeConsole(opened);
  });

  test("filters are in the address, and who is no admin does not see the screen", async () => {
    await job("console-filters", "the one to find [[fail:a strange fault]]", "failed");
    const opened = await at.open({ path: "/queue?user=console-filters" });
    const { page } = opened;
    await page.getByRole("link", { name: /the one to find/ }).waitFor();
    await page.getByLabel("Error contains").fill("no such text");
    await page.waitForURL(/error=no/);
    await page.getByText("No job matches these filters").waitFor();
    await closeConsole(opened);
    const token = at.platform.token("console-unprivileged", ["agents:read"]);
    const refused = await at.open({ path: "/queue", token });
    await refused.page.getByText(/It takes the scope “platform:admin”/).waitFor();
    await expect.poll(() => refused.page.getByRole("link", { name: "Queue" }).count()).toBe(0);
    await closeConsole(refused);
  });
});
