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
});
