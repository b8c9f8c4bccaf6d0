import { expect } from "vitest";
import { describeConsole } from "../../console/support/describe-console.ts";
import { closeConsole } from "../../console/support/open-console.ts";
import { test } from "../../support/shared-platform.ts";

const scopes = ["agents:read", "sessions:read"];

describeConsole("saved views, in the console", (at) => {
  test("are there in another browser of their user, and of no other user", async () => {
    const { token } = at.asUser("console-viewer", scopes);
    const first = await at.open({ path: "/runs?status=ERROR", token, width: 1440 });
    await first.page.getByRole("button", { name: "Views" }).click();
    await first.page.getByLabel("Name of what is shown now").fill("Failures");
    await first.page.getByRole("button", { name: "Save this view" }).click();
    await first.page.getByRole("link", { name: "Failures" }).waitFor();
    await closeConsole(first);

    const second = await at.open({ path: "/runs", token, width: 1440 });
    await second.page.getByRole("button", { name: "Views" }).click();
    await second.page.getByRole("link", { name: "Failures" }).click();
    await second.page.waitForURL(/runs\?status=ERROR/);

    const other = await at.open({
      path: "/runs",
      token: at.asUser("console-other-viewer", scopes).token,
      width: 1440,
    });
    await other.page.getByRole("button", { name: "Views" }).click();
    await other.page.getByText("for you alone").waitFor();
    expect(await other.page.getByRole("link", { name: "Failures" }).count()).toBe(0);
    await closeConsole(other);

    await second.page.getByRole("button", { name: "Views" }).click();
    await second.page.getByRole("button", { name: "Remove the view Failures" }).click();
    await second.page.getByText("for you alone").waitFor();
    await closeConsole(second);
  });

  test("that an earlier version kept in a browser are taken over once", async () => {
    const { token, client } = at.asUser("console-old-viewer", scopes);
    await client.saveView({ body: { name: "Mine", to: "/runs?q=new" } });
    const kept = [
      { name: "Mine", to: "/runs?q=old" },
      { name: "Slow", to: "/runs?took=30" },
    ];
    const key = "agent-platform.views.console-old-viewer";
    const opened = await at.open({ path: "/", token, width: 1440 });
    const { page } = opened;
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.evaluate(`localStorage.setItem("${key}", ${JSON.stringify(JSON.stringify(kept))})`);
    await page.goto(`${at.platform.url}/console/runs`);
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByRole("link", { name: "Slow" }).waitFor();
    expect(await page.evaluate(`localStorage.getItem("${key}")`)).toBeNull();
    expect((await client.listViews()).data).toEqual([
      { name: "Mine", to: "/runs?q=new" },
      { name: "Slow", to: "/runs?took=30" },
    ]);
    await closeConsole(opened);
  });
});
