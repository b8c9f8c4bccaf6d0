import { expect } from "vitest";
import { describeConsole } from "../../console/support/describe-console.ts";
import { closeConsole, overflows } from "../../console/support/open-console.ts";
import { closePage } from "../../support/browser.ts";
import { test } from "../../support/shared-platform.ts";

const HOSTILE = `<img src=x onerror="document.title='broken'">`;
const scopes = ["schedules:read", "schedules:write", "schedules:delete", "agents:read", "agents:run"];

describeConsole("schedules, in the console", (at) => {
  const asUser = (sub: string, held: readonly string[] = scopes) => at.asUser(sub, held);
  const endpoint = "/agents/assistant/runs";

  test("one is made, run at once, seen in its attempts, paused, resumed and deleted", async () => {
    const { token, client } = asUser("schedules-maker");
    const opened = await at.open({ path: "/schedules", token });
    const { page } = opened;
    await page.getByRole("button", { name: "Create the first schedule" }).click();
    const form = page.getByRole("dialog", { name: "New schedule" });
    await form.getByLabel("Name", { exact: true }).fill("morning report");
    await form.getByRole("combobox", { name: "Agent, team or workflow" }).fill("Assis");
    await page.getByRole("option", { name: /Assistant/ }).click();
    await form.getByLabel("Message").fill("Sum up the night");
    await form.getByLabel("Cron expression").fill("30 7 * * 1-5");
    await form.getByRole("combobox", { name: "Time zone" }).fill("Berlin");
    await page.getByRole("option", { name: "Europe/Berlin" }).click();
    await form.getByText("At 07:30, Monday through Friday").waitFor();
    await expect
      .poll(() => form.getByRole("list", { name: "Next times" }).getByRole("listitem").count())
      .toBe(5);
    await form.getByRole("button", { name: "Create the schedule" }).click();
    await page.getByRole("heading", { name: "morning report", level: 1 }).waitFor();

    const [made] = (await client.listSchedules()).data;
    expect(made).toMatchObject({
      name: "morning report",
      endpoint,
      payload: { message: "Sum up the night" },
      cron_expr: "30 7 * * 1-5",
      timezone: "Europe/Berlin",
      enabled: true,
    });
    const path = { schedule_id: made?.id ?? "" };
    const [firstShown] = await page.locator(".cron-times li span").allTextContents();
    const expected = new Intl.DateTimeFormat("en-US", {
      timeZone: "Europe/Berlin",
      dateStyle: "medium",
    }).format((made?.next_run_at ?? 0) * 1000);
    expect(firstShown).toContain(expected);
    expect(firstShown).toContain("07:30");

    await page.getByRole("button", { name: "Run now" }).click();
    const attempts = page.getByRole("region", { name: "Attempts" });
    await attempts.getByText("Completed").waitFor();
    await attempts.getByText("You said: Sum up the night").waitFor();
    expect((await client.listScheduleRuns({ path })).data).toMatchObject([{ status: "success", attempt: 1 }]);

    await page.getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByText("It is paused. Its times pass without a run.").waitFor();
    expect((await client.getSchedule({ path })).enabled).toBe(false);
    await expect.poll(() => page.getByRole("button", { name: "Run now" }).count()).toBe(0);
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByRole("button", { name: "Run now" }).waitFor();
    expect((await client.getSchedule({ path })).enabled).toBe(true);

    await page.getByRole("button", { name: "More for morning report" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete the schedule" }).click();
    await page.getByText("Nothing runs by itself yet").waitFor();
    expect((await client.listSchedules()).data).toEqual([]);
    await closeConsole(opened);
  });

  test("the link of an attempt leads to its run", async () => {
    const { token, client } = asUser("schedules-follower");
    const { id } = await client.createSchedule({
      body: { name: "linked", endpoint, payload: { message: "follow me" } },
    });
    await client.triggerSchedule({ path: { schedule_id: id } });
    const opened = await at.open({ path: `/schedules/${id}`, token });
    await opened.page.getByRole("link", { name: "Open the run" }).click();
    await opened.page.getByRole("heading", { name: "follow me", level: 1 }).waitFor();
    await closeConsole(opened);
  });

  test("a wrong expression is reported while it is typed, what the platform refuses stands at its field, and an edit is kept", async () => {
    const { token, client } = asUser("schedules-editor");
    const body = { endpoint, cron_expr: "0 9 * * *", payload: { message: "Hello", session_id: "daily" } };
    const { id } = await client.createSchedule({ body: { ...body, name: "edited" } });
    await client.createSchedule({ body: { ...body, name: "taken" } });
    const opened = await at.open({ path: `/schedules/${id}?form=edit`, token });
    const form = opened.page.getByRole("dialog", { name: "Edit edited" });
    await form.getByLabel("Cron expression").fill("61 9 * * *");
    await form.getByText(/minute 61 is not between 0 and 59/).waitFor();
    await form.getByLabel("Cron expression").fill("*/20 * * * *");
    await form.getByText("Every 20 minutes").waitFor();
    await form.getByLabel("Retries").fill("11");
    await form.getByRole("button", { name: "Save the changes" }).click();
    await form.getByText("Input should be less than or equal to 10").waitFor();
    await expect.poll(() => form.getByLabel("Retries").getAttribute("aria-invalid")).toBe("true");
    await form.getByLabel("Retries").fill("2");
    await form.getByLabel("Name", { exact: true }).fill("taken");
    await form.getByRole("button", { name: "Save the changes" }).click();
    await form.getByText(/a schedule named taken exists already/).waitFor();
    await form.getByLabel("Name", { exact: true }).fill("edited twice");
    await form.getByRole("button", { name: "Save the changes" }).click();
    await opened.page.getByRole("heading", { name: "edited twice", level: 1 }).waitFor();
    expect(await client.getSchedule({ path: { schedule_id: id } })).toMatchObject({
      name: "edited twice",
      cron_expr: "*/20 * * * *",
      max_retries: 2,
      payload: body.payload,
    });
    // The refusals that were asked for are errors in the browser's own log.
    await closePage(opened.page);
    expect(opened.faults.filter((fault) => !/status of (?:409|422)/.test(fault))).toEqual([]);
  });

  test("who may only read is offered nothing else, and what is stored is text", async () => {
    const { client } = asUser("schedules-reader");
    const { id } = await client.createSchedule({
      body: { name: "read only", description: HOSTILE, endpoint, payload: { message: HOSTILE } },
    });
    await client.triggerSchedule({ path: { schedule_id: id } });
    const { token } = asUser("schedules-reader", ["schedules:read", "agents:read"]);
    const opened = await at.open({ path: "/schedules", token });
    const { page } = opened;
    await page.getByRole("link", { name: /read only/ }).click();
    await page.getByText("You said: <img src=x").waitFor();
    for (const name of ["Run now", "Pause", "Edit", "New schedule", "More for read only"]) {
      await expect.poll(() => page.getByRole("button", { name }).count(), { message: name }).toBe(0);
    }
    await expect.poll(() => page.locator("img[src='x']").count()).toBe(0);
    expect(await page.title()).toContain("read only");
    await closeConsole(opened);
  });

  test("a narrow screen shows when each will run next, and which one is paused", async () => {
    const { token, client } = asUser("schedules-narrow");
    for (const name of ["goes on", "stands still"]) {
      const { id } = await client.createSchedule({ body: { name, cron_expr: "0 4 * * *", endpoint } });
      if (name === "stands still") await client.disableSchedule({ path: { schedule_id: id } });
    }
    const opened = await at.open({ path: "/schedules", token, width: 390 });
    const { page } = opened;
    await page.getByRole("columnheader", { name: "Next" }).waitFor();
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });
    await row("stands still").getByText("paused", { exact: true }).waitFor();
    await row("goes on")
      .getByText(/^in \d/)
      .waitFor();
    expect(await overflows(page)).toBe(false);
    await closeConsole(opened);
  });
});
