import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient } from "../../../client/index.ts";
import { countText, moneyText } from "../../../console/parts/amounts.ts";
import { FURNISHED_ENV } from "../../console/support/furnish.ts";
import {
  accessibilityFaults,
  closeConsole,
  openConsole,
  overflows,
} from "../../console/support/open-console.ts";
import { hasBrowser, startBrowser, type TestBrowser } from "../../support/browser.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";

describe.skipIf(!hasBrowser)("what the console says first", { timeout: 180_000 }, () => {
  let platform: TestPlatform;
  let browser: TestBrowser;
  beforeAll(async () => {
    platform = await startPlatform({ env: { ...FURNISHED_ENV, MAX_RUNNING_PER_USER: "1" } });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  test("a run that failed opens at its deepest failed step, with its error before its figures", async () => {
    const token = platform.token("first-reader", [
      "agents:read",
      "agents:run",
      "sessions:read",
      "traces:read",
    ]);
    const client = createClient({ baseUrl: platform.url, token });
    const path = { agent_id: "assistant" };
    const body = { message: "[[fail:the printer is out of paper]]", stream: false } as const;
    const [run] = await client.createAgentRun({ path, body }).then(
      (made) => [made],
      async () => (await client.listRuns({ query: { limit: 1 } })).data,
    );
    const address = `/runs/agent/assistant/${run?.session_id}/${run?.run_id}`;
    for (const [theme, width] of [
      ["light", 390],
      ["dark", 1440],
    ] as const) {
      const opened = await openConsole(browser, platform, { path: address, token, theme, width });
      const { page } = opened;
      const detail = page.locator(".span-detail");
      await detail.getByText("Model call").waitFor();
      const [error, figures] = [detail.locator(".notice-bad"), detail.locator(".facts")];
      expect(await error.textContent()).toContain("the printer is out of paper");
      const [above, below] = [await error.boundingBox(), await figures.boundingBox()];
      expect(above?.y).toBeLessThan(below?.y ?? 0);
      expect(await overflows(page)).toBe(false);
      if (process.env.SHOTS)
        await page.screenshot({ path: `${process.env.SHOTS}/failed-${theme}-${width}.png`, fullPage: true });
      await closeConsole(opened);
    }
  });

  test("the page of a run is an inspector: steps beside the chosen one, by keys and by address, with figures, waits and whole names", async () => {
    const scopes = ["teams:read", "teams:run", "agents:read", "agents:run", "sessions:read", "traces:read"];
    const token = platform.token("first-inspector", scopes);
    const client = createClient({ baseUrl: platform.url, token });
    const call = (name: string, args: object) => `[[tool:${name} ${JSON.stringify(args)}]]`;
    const task = call("issue_refund", { order_id: "A-1", amount: 3 });
    const rows = Array.from({ length: 200 }, (_, at) => `row ${at} of the list`).join(", ");
    const code = "```ts\nconst paid = true;\n```";
    const answer = `Done.[^1] ${rows}.\n\n| Order | Sum |\n| :-- | --: |\n| A-1 | 3 |\n\n${code}\n\n[^1]: By card.\n`;
    const message = `Help. ${call("delegate_task_to_member", { member_id: "refund-desk", task })} [[answer:${answer}]]`;
    const team = { team_id: "support-team" };
    const paused = await client.createTeamRun({ path: team, body: { message, stream: false } });
    await pause(300); // shorter waits are not shown
    const { run_id, session_id } = paused;
    const requirements = ("requirements" in paused ? (paused.requirements ?? []) : []).map((one) => ({
      ...one,
      confirmation: true,
      tool_execution: { ...one.tool_execution, confirmed: true },
    }));
    const done = await client.continueTeamRun({
      path: { ...team, run_id },
      body: { session_id, stream: false, requirements },
    });
    expect(done.status).toBe("COMPLETED");
    const opened = await openConsole(browser, platform, {
      path: `/runs/team/support-team/${session_id}/${run_id}`,
      token,
      theme: "dark",
      width: 1440,
    });
    const { page } = opened;
    const row = (name: string) => page.locator(".span-row", { hasText: name }).first();
    await row("delegate_task_to_member → Refund desk").waitFor();
    await row("Waited for a decision").waitFor();
    expect(await row("scripted-1").locator(".span-figures").textContent()).toMatch(/^[\d,.]+ tokens · \$\d/);
    const kinds = `[...document.querySelectorAll(".span-row svg")].map((icon) => icon.getAttribute("aria-label"))`;
    expect(new Set(await page.evaluate<string[]>(kinds))).toEqual(
      new Set(["Team", "Model call", "Tool call", "Wait", "Agent"]),
    );
    // The whole run is chosen at first: its conversation, with notes and columns as they were written.
    const detail = page.locator(".detail-pane");
    await detail.locator("small sup").waitFor();
    const aligned = `getComputedStyle(document.querySelector(".detail-pane tr > td:last-child")).textAlign`;
    expect(await page.evaluate(aligned)).toBe("right");
    await detail.locator("code .hljs-keyword", { hasText: "const" }).waitFor();
    await page.setViewportSize({ width: 1440, height: 420 });
    const scrolled = (name: string, to: number): Promise<number> =>
      page.evaluate(
        `(() => { const one = document.querySelector("${name}"); one.scrollTop = ${to}; return one.scrollTop; })()`,
      );
    const tops = `[".waterfall", ".detail-pane", "main"].map((name) => document.querySelector(name).scrollTop)`;
    expect(await scrolled(".detail-pane", 70)).toBe(70);
    expect(await page.evaluate(tops)).toEqual([0, 70, 0]);
    expect(await scrolled(".waterfall", 50)).toBe(50);
    expect(await page.evaluate(tops)).toEqual([50, 70, 0]);
    await page.setViewportSize({ width: 1440, height: 800 });
    const tree = page.getByRole("tree", { name: "Steps" });
    const stepInAddress = () => new URL(page.url()).searchParams.get("step");
    const visited: (string | null)[] = [];
    await tree.focus();
    for (const key of ["Home", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "End"]) {
      const before = stepInAddress();
      await page.keyboard.press(key);
      await expect.poll(stepInAddress, { message: key }).not.toBe(before);
      visited.push(stepInAddress());
    }
    expect(visited[3]).toBe(visited[1]);
    expect(visited[4]).toBe(visited[0]);
    expect(visited[5]).toBe(visited[1]);
    await detail.getByText("Model call").waitFor();
    await detail
      .getByRole("button", { name: /^Show all/ })
      .last()
      .waitFor();
    await detail.getByLabel("Search in: Output").fill("row 150 of");
    await detail.getByText("1 of 1", { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const line = page.getByRole("separator", { name: "Width of the steps" });
    const before = await line.getAttribute("aria-valuenow");
    await line.focus();
    await page.keyboard.press("ArrowRight");
    const after = await line.getAttribute("aria-valuenow");
    expect(Number(after)).toBeGreaterThan(Number(before));
    await page.reload();
    await detail.getByText("Model call").waitFor();
    expect(await line.getAttribute("aria-valuenow")).toBe(after);

    // What the team and its members used is the same wherever it stands.
    const { total_metrics: total = {} } = await client.getTeamRun({
      path: { ...team, run_id },
      query: { session_id },
    });
    expect(total.input_tokens).toBeGreaterThan(done.metrics?.input_tokens ?? 0);
    const used = [total.input_tokens ?? 0, total.output_tokens ?? 0].map(countText);
    const cost = moneyText(total.cost);
    const amount = (name: string) =>
      page
        .locator(".run-amounts > div", { has: page.getByText(name, { exact: true }) })
        .locator(".amount-value");
    const figures = [amount("Tokens in"), amount("Tokens out"), amount("Cost")];
    const shown = await Promise.all(figures.map((one) => one.textContent()));
    expect(shown).toEqual([...used, cost]);
    await page.getByRole("tab", { name: "Graph" }).click();
    const states = () =>
      page
        .locator(".graph-node")
        .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("data-state")).join(" "));
    await expect.poll(states).toBe("done skipped done");
    await page.locator(".graph-node", { hasText: "Refund desk" }).click();
    await detail.getByRole("heading", { name: "Refund desk" }).waitFor();
    await page.getByRole("link", { name: "Session", exact: true }).click();
    const facts = page.locator(".facts", { hasText: "Tokens in" });
    await expect
      .poll(() => facts.textContent())
      .toContain(`Tokens in${used[0]}Tokens out${used[1]}Cost${cost}`);
    await page.getByRole("link", { name: "Runs", exact: true }).click();
    const cells = page.getByRole("row").nth(1).getByRole("cell");
    await expect
      .poll(() => cells.allTextContents())
      .toEqual(expect.arrayContaining([countText(total.total_tokens ?? 0), cost]));
    await closeConsole(opened);
  });

  test("a run that stood in the queue shows how long it waited to begin", async () => {
    const token = platform.token("first-waiter", [
      "agents:run",
      "agents:read",
      "sessions:read",
      "traces:read",
    ]);
    const client = createClient({ baseUrl: platform.url, token });
    const path = { agent_id: "assistant" };
    const later = (message: string) =>
      client.createAgentRun({ path, body: { message, stream: false, background: true } });
    const statusOf = async ({ run_id = "", session_id = "" }) =>
      (await client.getAgentRun({ path: { ...path, run_id }, query: { session_id } })).status;
    // One run of a user is executed at a time.
    const first = await later("[[sleep:1500]]");
    await expect.poll(() => statusOf(first)).toBe("RUNNING");
    const second = await later("the second");
    await expect.poll(() => statusOf(second)).toBe("COMPLETED");
    const { run_id, session_id } = second;
    const opened = await openConsole(browser, platform, {
      path: `/runs/agent/assistant/${session_id}/${run_id}`,
      token,
    });
    const wait = opened.page.getByRole("treeitem", { name: /Waited to begin/ });
    await wait.waitFor();
    const bar = await wait.locator(".span-bar").boundingBox();
    expect(bar?.width).toBeGreaterThan(20);
    await wait.click();
    await opened.page.locator(".detail-pane").getByText("Wait", { exact: true }).waitFor();
    await closeConsole(opened);
  });

  test("a workflow's run is a graph: the branch that was taken, what was skipped, what waits; a node leads to its step", async () => {
    const scopes = ["workflows", "agents"].flatMap((kind) => [`${kind}:read`, `${kind}:run`]);
    const token = platform.token("first-grapher", [...scopes, "sessions:read", "traces:read"]);
    const client = createClient({ baseUrl: platform.url, token });
    const { run_id, session_id } = await client.createWorkflowRun({
      path: { workflow_id: "publish-report" },
      body: { message: "Short", stream: false },
    });
    const path = `/runs/workflow/publish-report/${session_id}/${run_id}?view=graph`;
    const opened = await openConsole(browser, platform, { path, token, width: 1440 });
    const { page } = opened;
    const node = (name: string) => page.locator(".graph-node", { hasText: name });
    const stateOf = (name: string) => node(name).getAttribute("data-state");
    await node("keep").waitFor();
    const names = ["research", "outline", "too long?", "keep", "shorten", "publish", "Output"];
    await expect
      .poll(() => Promise.all(names.map(stateOf)))
      .toEqual(["done", "done", "done", "done", "skipped", "waiting", "to come"]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await node("keep").click();
    await page.waitForURL(/step=/);
    await page.locator(".detail-pane").getByRole("heading", { name: "keep" }).waitFor();

    await closeConsole(opened);

    const declared = await openConsole(browser, platform, { path: "/components/publish-report?tab=graph" });
    const shorten = declared.page.locator(".graph-node", { hasText: "shorten" });
    await shorten.waitFor();
    expect(await shorten.getAttribute("data-state")).toBeNull();
    await shorten.click();
    await declared.page.waitForURL(/components\/assistant/);
    await closeConsole(declared);
  });

  test("the graph of a run is that of the version which it had, not of the one that is live now", async () => {
    const client = createClient({ baseUrl: platform.url, token: platform.adminToken });
    const path = { component_id: "graphed-flow" };
    const stepsNamed = (...stepNames: readonly string[]) => ({
      steps: stepNames.map((name) => ({ type: "Step", name, agent_id: "assistant" })),
    });
    const config = stepsNamed("draft it");
    await client.createComponent({
      body: { ...path, name: "Graphed", component_type: "workflow", stage: "published", config },
    });
    const { run_id, session_id } = await client.createWorkflowRun({
      path: { workflow_id: "graphed-flow" },
      body: { message: "Short", stream: false },
    });
    await client.createConfigVersion({
      path,
      body: { stage: "published", config: stepsNamed("draft it", "check it") },
    });
    const opened = await openConsole(browser, platform, {
      path: `/runs/workflow/graphed-flow/${session_id}/${run_id}?view=graph`,
    });
    await opened.page.getByText("Version 1 of the workflow, which this run had").waitFor();
    await opened.page.locator(".graph-node", { hasText: "draft it" }).waitFor();
    expect(await opened.page.locator(".graph-node", { hasText: "check it" }).count()).toBe(0);
    await closeConsole(opened);
  });

  test("a user who may run agents and not see them is shown the scope that is missing", async () => {
    const token = platform.token("first-runner", ["agents:run"]);
    const opened = await openConsole(browser, platform, { path: "/playground", token, width: 390 });
    const { page } = opened;
    await page.getByText("Your credential lacks a scope").waitFor();
    expect(await page.locator(".state code").allTextContents()).toEqual(["agents:read"]);
    expect(await page.getByText(/Write an agent/).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/scope-390.png` });
    await closeConsole(opened);
  });
});
