import { expect } from "vitest";
import { describeConsole } from "../../console/support/describe-console.ts";
import { accessibilityFaults, closeConsole, overflows } from "../../console/support/open-console.ts";
import { test } from "../../support/shared-platform.ts";

describeConsole("the log of a run, in the console", (at) => {
  test("an admin reads the lines of a failed run with their fields", async () => {
    const admin = at.admin;
    const started = await admin.createAgentRun({
      path: { agent_id: "assistant" },
      body: { message: "log this [[fail:the provider is down]]", stream: false, background: true },
    });
    const path = `/runs/agent/assistant/${started.session_id}/${started.run_id}?view=log`;
    const opened = await at.open({ path, width: 375, theme: "dark" });
    const { page } = opened;
    const line = page.getByRole("button", { name: /a run failed/ });
    await line.waitFor();
    await line.click();
    await page.getByText('"error_type"').waitFor();
    await page.getByRole("radio", { name: "Warnings and errors" }).click();
    await page.waitForURL(/level=problems/);
    await line.waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await closeConsole(opened);
  });

  test("a run that waited for long shows its lines too, however often there were none", async () => {
    const run = (message: string, session_id?: string) =>
      at.admin.createAgentRun({
        path: { agent_id: "assistant" },
        body: { message, stream: false, background: true, ...(session_id && { session_id }) },
      });
    // The second run of a session waits for the first one.
    const { session_id } = await run("[[sleep:6000]] done");
    const { run_id } = await run("[[fail:the provider is down]]", session_id);
    const opened = await at.open();
    const { page } = opened;
    await page.clock.install();
    let reads = 0;
    page.on("requestfinished", (request) => {
      if (request.url().includes(`${run_id}/log`)) reads += 1;
    });
    await page.goto(`${at.platform.url}/console/runs/agent/assistant/${session_id}/${run_id}?view=log`);
    const inThreeSeconds = async <Value>(seen: () => Value) => {
      await page.clock.runFor(3_000);
      return seen();
    };
    await expect.poll(() => inThreeSeconds(() => reads)).toBeGreaterThan(3);
    const status = async () =>
      (await at.admin.getAgentRun({ path: { agent_id: "assistant", run_id }, query: { session_id } })).status;
    await expect.poll(status).toBe("ERROR");
    const line = page.getByRole("button", { name: /a run failed/ });
    await expect.poll(() => inThreeSeconds(() => line.count())).toBe(1);
    await closeConsole(opened);
  });
});
