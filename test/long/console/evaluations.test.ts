import { expect } from "vitest";
import type { createClient } from "../../../client/index.ts";
import { describeConsole } from "../../console/support/describe-console.ts";
import { closeConsole } from "../../console/support/open-console.ts";
import { test } from "../../support/shared-platform.ts";

const HOSTILE = `<img src=x onerror="document.title='broken'">`;
const scopes = ["evals:read", "evals:write", "evals:delete", "agents:read", "agents:run", "sessions:read"];

describeConsole("evaluations, in the console", (at) => {
  const asUser = (sub: string) => at.asUser(sub, scopes);
  type Client = ReturnType<typeof createClient>;
  /** Makes an evaluation, and waits for its end without a request that is held open. */
  const evaluated = async (client: Client, body: Parameters<Client["createEval"]>[0]["body"]) => {
    const { id } = await client.createEval({ body: { ...body, background: true } });
    await expect
      .poll(async () => (await client.getEval({ path: { eval_run_id: id } })).status)
      .not.toBe("running");
    return id;
  };
  const adds = '[[tool:add_numbers {"a": 2, "b": 3}]]';

  test("the bars of a comparison are as long as the scores, and say them, the largest difference first", async () => {
    const { token, client } = asUser("evaluator of bars");
    const scored = (name: string, scores: Readonly<Record<string, number>>) =>
      evaluated(client, {
        eval_type: "accuracy",
        name,
        agent_id: "assistant",
        cases: Object.entries(scores).map(([input, score]) => ({
          input,
          expected_output: `[[answer:{"score":${score},"reason":"so"}]]`,
        })),
      });
    const before = await scored("the bars before", { "close one": 8, "far one": 10 });
    const after = await scored("the bars after", { "close one": 7, "far one": 5 });
    const opened = await at.open({ path: `/evaluations/${after}?with=${before}`, token });
    const { page } = opened;
    const rows = page.getByRole("list", { name: "The figures of each case" }).getByRole("listitem");
    await expect
      .poll(() => rows.allTextContents())
      .toEqual(["far oneThis: 5Other: 10", "close oneThis: 7Other: 8"]);
    const widths: number[] = await page.evaluate(
      `[...document.querySelectorAll(".eval-bar-fill")].map((bar) => bar.getBoundingClientRect().width)`,
    );
    const longest = Math.max(...widths);
    expect(longest).toBeGreaterThan(20);
    expect(widths.map((width) => Math.round((100 * width) / longest))).toEqual([50, 100, 70, 80]);
    const shares = page.getByRole("list", { name: "What became of the cases" }).getByRole("listitem");
    expect(await shares.allTextContents()).toEqual(["2 worse"]);
    await closeConsole(opened);
  });

  test("one is made, shown case by case, compared with another, renamed and deleted", async () => {
    const { token, client } = asUser("evaluator");
    const earlier = await evaluated(client, {
      eval_type: "reliability",
      name: "the earlier one",
      agent_id: "assistant",
      cases: [{ input: adds, expected_tool_calls: ["get_time"] }],
    });
    const opened = await at.open({ path: "/evaluations", token });
    const { page } = opened;
    // A verdict and a state are two things: its run completed, and it failed.
    const failed = page.getByRole("row", { name: /the earlier one/ });
    await failed.getByText("Completed", { exact: true }).waitFor();
    await failed.getByText("Failed", { exact: true }).waitFor();
    await failed.getByRole("link").click();
    await page.locator(".meta").getByText("Completed", { exact: true }).waitFor();
    await page.locator(".run-amounts .badge-bad", { hasText: "Failed" }).waitFor();
    const judged = page.locator("section.card", { has: page.getByRole("heading", { name: "Case 1" }) });
    await judged.getByText("Failed", { exact: true }).waitFor();
    await judged.getByText("Completed", { exact: true }).waitFor();
    expect(await judged.locator(".badge-good").count()).toBe(0);
    await page.goBack();
    await page.getByRole("button", { name: "New evaluation" }).click();
    const form = page.getByRole("dialog", { name: "New evaluation" });
    await form.getByRole("button", { name: "Start the evaluation" }).click();
    await form.getByText("A case needs an input").waitFor();
    await form.getByRole("combobox", { name: "Agent or team" }).fill("Assis");
    await page.getByRole("option", { name: /Assistant/ }).click();
    await form.getByLabel("Name (optional)", { exact: true }).fill("the later one");
    await form.getByRole("button", { name: /What is measured/ }).click();
    await page.getByRole("option", { name: /Tool calls/ }).click();
    await form.getByLabel("Input").fill(adds);
    await form.getByLabel("Expected tools").fill("add_numbers");
    await form.getByRole("button", { name: "Add a case" }).click();
    const second = form.getByRole("group", { name: "Case 2" });
    await second.getByLabel("Name of case 2 (optional)").fill("no tool");
    await second.getByLabel("Input").fill("Bye");
    await second.getByLabel("Expected tools").fill("add_numbers");
    await form.getByRole("button", { name: "Start the evaluation" }).click();
    await page.getByRole("heading", { name: "the later one", level: 1 }).waitFor();
    const first = page.locator("section.card", { has: page.getByRole("heading", { name: "Case 1" }) });
    await first.getByText("Passed").waitFor();
    await first.getByText("Called as expected").waitFor();
    await page.getByText("Expected but not called").waitFor();
    const [made] = (await client.listEvals({ query: { agent_id: "assistant" } })).data;
    expect(made).toMatchObject({
      name: "the later one",
      eval_type: "reliability",
      status: "completed",
      cases: 2,
    });

    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("Better than the other").waitFor();
    await page.getByRole("list", { name: "What became of the cases" }).getByText("1 better").waitFor();
    await page.getByText("It has no case with this input.").waitFor();
    expect(new URL(page.url()).searchParams.get("with")).toBe(earlier);
    await page.getByRole("button", { name: "Close the comparison" }).click();

    const choose = async (name: string) => {
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await choose("Rename");
    await page.getByLabel("Name", { exact: true }).fill("the last one");
    await page.getByRole("button", { name: "Rename", exact: true }).click();
    await page.getByRole("heading", { name: "the last one", level: 1 }).waitFor();
    expect((await client.getEval({ path: { eval_run_id: made?.id ?? "" } })).name).toBe("the last one");
    await choose("Delete");
    await page.getByRole("button", { name: "Delete the evaluation" }).click();
    await page.getByRole("link", { name: /the earlier one/ }).waitFor();
    expect((await client.listEvals()).data.map(({ id }) => id)).toEqual([earlier]);
    await closeConsole(opened);
  });

  test("a dataset is stored from a file, gets a second version, and is deleted", async () => {
    const { token, client } = asUser("dataset-keeper");
    const opened = await at.open({ path: "/evaluations", token });
    const { page } = opened;
    const choose = async (text: string) => {
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: /^Choose a/ }).click();
      await (await chooser).setFiles({ name: "cases.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    };
    await page.getByRole("link", { name: "Datasets" }).click();
    await page.getByText("There is no dataset yet").waitFor();
    await page.getByRole("button", { name: "New dataset" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Questions of customers");
    await choose("question,answer\n");
    await page.getByRole("button", { name: "Store the dataset" }).click();
    await page.getByText(/The file cannot be used/).waitFor();
    // The browser reports the answer that was asked for here.
    expect(opened.faults.splice(0)).toEqual([expect.stringContaining("status of 422")]);
    await choose(`input,expected_output\n"${HOSTILE.replaceAll('"', '""')}",On Tuesday\n`);
    await page.getByRole("button", { name: "Store the dataset" }).click();
    await page.getByRole("heading", { name: "Questions of customers", level: 1 }).waitFor();
    await page.getByText("On Tuesday").waitFor();
    expect(await page.locator("img[src='x']").count()).toBe(0);
    await page.getByRole("button", { name: "New version" }).click();
    await choose("input,expected_output\nWhen?,On Friday\nWhere?,Here\n");
    await page.getByRole("button", { name: "Store the version" }).click();
    await page.getByText("On Friday").waitFor();
    await page.getByRole("heading", { name: "2 cases" }).waitFor();
    await page.goto(`${page.url()}?version=1`);
    await page.getByText("On Tuesday").waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Delete the dataset" }).click();
    await page.getByText("There is no dataset yet").waitFor();
    expect((await client.listDatasets()).data).toEqual([]);
    await closeConsole(opened);
  });

  test("what is stored is text", async () => {
    const { token, client } = asUser("evaluator-looking");
    await evaluated(client, {
      eval_type: "accuracy",
      name: HOSTILE,
      agent_id: "assistant",
      cases: [{ input: HOSTILE, name: HOSTILE, expected_output: HOSTILE }],
    });
    const opened = await at.open({ path: "/evaluations", token });
    const { page } = opened;
    await page.getByRole("link", { name: /img src=x/ }).click();
    await page.getByText("There is no verdict on its answer").waitFor();
    await expect.poll(() => page.locator("img[src='x']").count()).toBe(0);
    expect(await page.title()).toContain("<img src=x");
    await closeConsole(opened);
  });
});
