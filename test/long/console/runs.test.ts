import { expect } from "vitest";
import type { createClient } from "../../../client/index.ts";
import type { Db } from "../../../shared/stores/db.ts";
import { packJson } from "../../../shared/stores/objects/spill.ts";
import { PAGE_DEPTH } from "../../../shared/stores/runs/listing/find-runs.ts";
import { startKey, traceIdOf } from "../../../shared/stores/traces/trace-item.ts";
import { describeConsole } from "../../console/support/describe-console.ts";
import { accessibilityFaults, closeConsole, overflows } from "../../console/support/open-console.ts";
import { closePage } from "../../support/browser.ts";
import { putItems } from "../../support/put-items.ts";
import { putRuns } from "../../support/put-runs.ts";
import { aJob, aRunOf } from "../../support/records.ts";
import { test } from "../../support/shared-platform.ts";
import { viewStores } from "../../support/stored.ts";

const now = () => Math.floor(Date.now() / 1000);
const HOSTILE = `<img src=x onerror="document.title='broken'">`;

describeConsole("runs, in the console", (at) => {
  const asUser = (sub: string) =>
    at.asUser(sub, ["agents:read", "agents:run", "sessions:read", "teams:read"]);
  const ask = (client: ReturnType<typeof createClient>, message: string, agent_id = "assistant") =>
    client.createAgentRun({ path: { agent_id }, body: { message, stream: false } });

  test("a list that changes under the reader says so, and a row leads to its run", async () => {
    const { token, client } = asUser("console-reader");
    await ask(client, "the first question");
    const opened = await at.open({ path: "/runs", token });
    const { page } = opened;
    await page.getByRole("link", { name: /the first question/ }).waitFor();
    await ask(client, "the second question");
    const fresh = page.getByRole("button", { name: "1 new" });
    await fresh.waitFor();
    await expect.poll(() => page.getByRole("link", { name: /the second question/ }).count()).toBe(0);
    const [pill, row] = await Promise.all([fresh.boundingBox(), page.getByRole("row").nth(1).boundingBox()]);
    expect((pill?.y ?? 0) + (pill?.height ?? 0)).toBeLessThanOrEqual(row?.y ?? 0);
    await fresh.click();
    await page.getByRole("link", { name: /the second question/ }).click();
    await page.getByRole("heading", { name: "the second question", level: 1 }).waitFor();
    await page.getByText("You said: the second question").first().waitFor();
    await closeConsole(opened);
  });

  test("runs are selected, asked again, exported and deleted with their sessions", async () => {
    const { token, client } = at.asUser("console-many", [
      ...["agents:read", "agents:run", "sessions:read", "sessions:delete"],
    ]);
    for (const text of ["=one", "two, too"]) await ask(client, text);
    const opened = await at.open({ path: "/runs", token, width: 1440, height: 900 });
    const { page } = opened;
    await page.getByRole("checkbox", { name: "Select all that are shown" }).click({ force: true });
    await page.getByText("2 selected").waitFor();
    const exported = async (name: RegExp) => {
      const coming = page.waitForEvent("download");
      await page.getByRole("button", { name: "Export" }).click();
      await page.getByRole("menuitem", { name }).click();
      const { text } = await import("node:stream/consumers");
      return text(await (await coming).createReadStream());
    };
    const lines = (await exported(/^JSONL/))
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ input }) => input.input_content)).toEqual(["two, too", "=one"]);
    expect(lines[0].messages.length).toBeGreaterThan(1);
    const table = await exported(/^CSV/);
    expect(table).toContain('"two, too"');
    expect(table).toContain("'=one");

    await page.getByRole("button", { name: "Run again", exact: true }).click();
    await page.getByRole("button", { name: "Run 2 runs again" }).click();
    await page.getByText("2 runs were started again.").waitFor();
    const ended = async () => (await client.listRuns({ query: { status: ["COMPLETED"] } })).data.length;
    await expect.poll(ended).toBe(4);
    await page.getByRole("checkbox", { name: "Select all that are shown" }).click({ force: true });
    await page.getByRole("button", { name: /^Delete \d sessions$/ }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Delete \d sessions$/ })
      .click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(async () => (await client.listRuns()).data.length).toBeLessThanOrEqual(2);
    await closeConsole(opened);
  });

  test("Back from a run finds the list where it was left, with its filter and what was selected", async () => {
    const owner = "console-back";
    const { token } = asUser(owner);
    const runs = Array.from({ length: 120 }, (_, i) => {
      const job = aJob({ session_id: `back-${i}`, owner, user_id: owner, created_at: now() - i });
      const made = aRunOf(job, { status: "COMPLETED" });
      const input = { input_content: `question ${i}` };
      return { ...made, output: { ...made.output, input, status: "COMPLETED" as const } };
    });
    const view = viewStores(at.platform);
    await putRuns(view.db, runs);
    view.close();
    const opened = await at.open({ path: "/runs?status=COMPLETED&since=24h", token });
    const { page } = opened;
    const list = page.locator(".list-scroll");
    const top = () => list.evaluate(({ scrollTop }) => scrollTop);
    const scrolled = (to: number) =>
      list.evaluate((element, wanted) => {
        element.scrollTop = wanted;
        return element.scrollTop;
      }, to);
    await page.getByRole("link", { name: "question 0" }).waitFor();
    // The second page is read on the way.
    await expect.poll(() => scrolled(5_700)).toBe(5_700);
    const row = page.getByRole("row").filter({ has: page.getByText("question 105", { exact: true }) });
    await row.locator(".check").click();
    await page.getByText("1 selected").waitFor();
    const left = await top();
    const ways = [
      () => page.goBack(),
      () => page.locator(".page-back").click(),
      async () => {
        // "The last day" begins at another minute, so the list is read anew.
        await page.evaluate(`{ const now = Date.now; Date.now = () => now() + 120_000; }`);
        await page.goBack();
      },
    ];
    for (const [way, goBack] of ways.entries()) {
      await row.getByRole("link").click();
      await page.getByRole("heading", { name: "question 105", level: 1 }).waitFor();
      await page.getByRole("tab", { name: "JSON" }).click();
      await goBack();
      await page.getByText("1 selected").waitFor();
      await expect.poll(top, { message: `way ${way}` }).toBe(left);
      expect(new URL(page.url()).search).toBe("?status=COMPLETED&since=24h");
      expect(await row.getByRole("checkbox").isChecked()).toBe(true);
    }
    await closeConsole(opened);
  });

  test("a time of one's own leaves out what began before and after it", async () => {
    const { token } = asUser("console-timed");
    const owner = "console-timed";
    const noon = new Date();
    noon.setHours(12, 0, 0, 0);
    const began = (hours: number) => noon.getTime() / 1000 - 3 * 86_400 + hours * 3_600;
    const texts = ["too early", "within it", "too late"];
    const runs = texts.map((content, i) => {
      const job = aJob({ session_id: `timed-${i}`, owner, user_id: owner, created_at: began(i - 1) });
      const made = aRunOf(job, { status: "COMPLETED" });
      return { ...made, output: { ...made.output, status: "COMPLETED" as const, content } };
    });
    const view = viewStores(at.platform);
    await putRuns(view.db, runs);
    view.close();
    const opened = await at.open({ path: "/runs", token, width: 1440 });
    const { page } = opened;
    const shown = () => page.locator(".list-rows .list-link > div > div:last-child").allTextContents();
    await expect.poll(shown).toEqual(texts.toReversed());
    await page.getByRole("button", { name: /Time/ }).first().click();
    await page.getByRole("option", { name: "From … to" }).click();
    const minutes = (seconds: number) => {
      const at = new Date(seconds * 1000);
      return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    };
    await page.getByLabel("From", { exact: true }).fill(minutes(began(-0.5)));
    await page.waitForURL(/from=/);
    await expect.poll(shown).toEqual(["too late", "within it"]);
    await page.getByLabel("To", { exact: true }).fill(minutes(began(0.5)));
    await page.waitForURL(/to=/);
    await expect.poll(shown).toEqual(["within it"]);
    await page.reload();
    await expect.poll(shown).toEqual(["within it"]);
    await closeConsole(opened);
  });

  test("words that are written from right to left are shown so", async () => {
    const { token, client } = asUser("console-arabic");
    const message = "متى تصل الطلبية الجديدة؟";
    const { run_id, session_id } = await ask(client, message);
    const opened = await at.open({ path: "/runs", token });
    const { page } = opened;
    const directions = async () => {
      const leaves = `[...document.querySelectorAll("main *")].filter((one) => one.children.length === 0)`;
      const words = `${leaves}.filter((one) => one.textContent.trim() === ${JSON.stringify(message)})`;
      const found: readonly string[] = await page.evaluate(
        `${words}.map((one) => getComputedStyle(one).direction)`,
      );
      return new Set(found);
    };
    const paths = [
      "/runs",
      `/runs/agent/assistant/${session_id}/${run_id}`,
      "/sessions",
      `/sessions/${session_id}`,
    ];
    for (const path of paths) {
      await page.goto(`${at.platform.url}/console${path}`);
      // A list is drawn anew while it is read.
      await expect.poll(directions, { message: path }).toEqual(new Set(["rtl"]));
    }
    await closeConsole(opened);
  });

  test("everything of an agent is stopped by one act, what its users wait for too", async () => {
    const { token, client } = at.asUser("console-stops", ["agents:read", "agents:run", "sessions:read"]);
    const waited = ask(client, "[[sleep:60000]]");
    const path = { agent_id: "assistant" };
    const body = { message: "[[sleep:60000]]", stream: false, background: true };
    const queued = await client.createAgentRun({ path, body });
    await expect.poll(async () => (await client.listRuns()).data.length).toBe(2);
    const opened = await at.open({ path: "/runs?component=assistant", token });
    const { page } = opened;
    await page.getByRole("button", { name: "Stop everything of assistant" }).click();
    await page.getByText("2 runs would be cancelled.").waitFor();
    await page.getByRole("button", { name: "Cancel 2 runs" }).click();
    expect((await waited).status).toBe("CANCELLED");
    const statusOf = async ({ run_id = "", session_id = "" }) =>
      (await client.getAgentRun({ path: { ...path, run_id }, query: { session_id } })).status;
    await expect.poll(() => statusOf(queued)).toBe("CANCELLED");

    // Of what is selected, what is live is cancelled, and nothing else.
    const [chosen, left] = [
      await client.createAgentRun({ path, body: { ...body, message: "the chosen [[sleep:60000]]" } }),
      await client.createAgentRun({ path, body: { ...body, message: "the other [[sleep:60000]]" } }),
    ];
    await page.goto(`${at.platform.url}/console/runs?status=RUNNING`);
    await page.getByRole("checkbox", { name: /^Select the chosen/ }).click({ force: true });
    await page.getByRole("button", { name: "Cancel 1", exact: true }).click();
    const asked = page.getByRole("dialog", { name: "Cancel 1 selected run?" });
    await asked.getByText("1 run would be cancelled.").waitFor();
    await asked.getByRole("button", { name: "Cancel 1 run", exact: true }).click();
    await page.getByText("1 run was cancelled.").waitFor();
    await expect.poll(() => statusOf(chosen)).toBe("CANCELLED");
    expect(await statusOf(left)).toBe("RUNNING");
    const { run_id = "", session_id = "" } = left;
    await client.cancelAgentRun({ path: { ...path, run_id }, query: { session_id } });
    await closeConsole(opened);
  });

  test("a user is chosen from the menu, which is closed then", async () => {
    const { client } = asUser("console-chosen-user");
    await ask(client, "the run of the chosen one");
    const opened = await at.open({ path: "/runs", width: 1440 });
    const { page } = opened;
    // Offered as typed, whether or not the platform proposes this user among all those of other files.
    await page.getByRole("combobox", { name: "User" }).fill("console-chosen-user");
    await page.getByRole("option", { name: "console-chosen-user" }).click();
    await page.waitForURL(/user=console-chosen-user/);
    await page.getByRole("link", { name: /the run of the chosen one/ }).click({ timeout: 10_000 });
    await page.getByRole("heading", { name: "the run of the chosen one", level: 1 }).waitFor();
    await closeConsole(opened);
  });

  test("what is typed to choose a component stays while the choices are still being read", async () => {
    const { token } = at.asUser("console-chooser", [
      "agents:read",
      "agents:run",
      "teams:read",
      "workflows:read",
    ]);
    const opened = await at.open({ path: "/runs", token });
    const { page } = opened;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/workflows(\?|$)/, async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    const component = page.getByRole("combobox", { name: "Component" });
    await component.fill("Libra");
    await page.getByRole("option", { name: /^Librarian/ }).waitFor();
    const read = page.waitForResponse(/\/workflows(\?|$)/);
    release();
    await read;
    await page.waitForTimeout(500);
    expect(await component.inputValue()).toBe("Libra");
    await page.getByRole("option", { name: /^Librarian/ }).click();
    await page.waitForURL(/component=librarian/);
    await closeConsole(opened);
  });

  test("a search goes on through pages in which nothing is found, until something is or there is no more", async () => {
    const { token } = asUser("console-searcher");
    const old = Math.floor(Date.now() / 1000) - 20 * 86_400;
    // More than the at.platform looks through for one page.
    const runs = Array.from({ length: PAGE_DEPTH + 50 }, (_, i) => {
      const owner = "console-searcher";
      const job = aJob({ session_id: "console-search", owner, user_id: owner, created_at: old - i });
      const made = aRunOf(job, { status: "COMPLETED" });
      const isLast = i === PAGE_DEPTH + 49;
      const output = isLast
        ? { status: "ERROR" as const, content: "the quota is used up" }
        : { content: "done" };
      return { ...made, ...(isLast && { status: "ERROR" as const }), output: { ...made.output, ...output } };
    });
    const view = viewStores(at.platform);
    await putRuns(view.db, runs);
    view.close();
    const opened = await at.open({ path: "/runs?error=quota", token });
    const { page } = opened;
    await page.getByRole("link", { name: /the quota is used up/ }).waitFor();
    await page.getByLabel("Error contains").fill("never failed so");
    await page.getByText("No run matches these filters").waitFor();
    await closeConsole(opened);
  });

  test("runs are found by words, tool and time, put in order, and the view is kept under a name", async () => {
    const { token, client } = asUser("console-finder");
    await ask(client, "where is order A-4471, please");
    await ask(client, '[[tool:issue_refund {"order_id":"o-1","amount":5}]]', "refund-desk");
    await ask(client, `a question ${"with many words ".repeat(20)}`);
    const opened = await at.open({ path: "/runs", token, width: 1440 });
    const { page } = opened;
    const inputs = () => page.locator(".list-rows .list-link > div > div:first-child").allTextContents();
    const order = page.getByRole("link", { name: /A-4471/ });
    await order.waitFor();
    await page.getByLabel("Search").fill('"order a-4471"');
    await page.getByText("Looked through all 3 runs that may match.").waitFor();
    expect(await inputs()).toEqual(["where is order A-4471, please"]);
    // How long ago it was, with the whole time for who points at it, and the time of the day below.
    const when = page.getByRole("row").nth(1).locator("time");
    const began = (await client.listRuns({ query: { q: '"order a-4471"' } })).data[0]?.created_at ?? "";
    expect(await when.getAttribute("datetime")).toBe(new Date(began).toISOString());
    const exactly = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "medium" });
    expect(await when.getAttribute("title")).toBe(exactly.format(new Date(began)));
    const cell = await page.getByRole("row").nth(1).getByRole("cell").last().textContent();
    expect(cell).toMatch(/^(now|\d+s ago|\d+m(in)? ago)\d{2}:\d{2}:\d{2}\s[AP]M$/);

    await page.getByRole("button", { name: "Clear" }).last().click();
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByRole("searchbox", { name: "Tool" }).fill("issue_refund");
    await page.waitForURL(/tool=issue_refund/);
    await page.getByText("Looked through all 3 runs").waitFor();
    expect(await inputs()).toEqual([expect.stringContaining("issue_refund")]);
    await page.getByRole("button", { name: "Clear" }).last().click();

    await order.waitFor();
    await page.getByRole("button", { name: "Tokens" }).click();
    const tokens = page.getByRole("columnheader", { name: "Tokens" });
    await expect.poll(() => tokens.getAttribute("aria-sort")).toBe("descending");
    expect((await inputs())[0]).toContain("with many words");
    await page.getByText("Sorted among the 3 runs read so far.").waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Cost" }).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("columnheader", { name: "Cost" }).count()).toBe(0);
    await page.getByRole("button", { name: "Views" }).click();
    await page.getByLabel("Name of what is shown now").fill("By tokens");
    await page.getByRole("button", { name: "Save this view" }).click();
    await page.getByRole("link", { name: "By tokens" }).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await closeConsole(opened);
  });

  test("Ctrl and k lead to a run and a session by their ids, to a component, a screen and a saved view", async () => {
    const { token, client } = asUser("console-goer");
    const { run_id, session_id = "" } = await ask(client, "go to this one");
    const opened = await at.open({ path: "/", token });
    const { page } = opened;
    await page.evaluate(
      `localStorage.setItem("agent-platform.views.console-goer", '[{"name":"Failures","to":"/runs?status=ERROR"}]')`,
    );
    const goTo = async (text: string, option: RegExp | string) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: /^Screen, component/ }).fill(text);
      await page.getByRole("option", { name: option }).waitFor();
    };
    const first = page.getByRole("option").first();
    await goTo(run_id ?? "", /go to this one/);
    await expect.poll(() => first.textContent()).toBe("go to this onerun");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "go to this one", level: 1 }).waitFor();
    await goTo(session_id, /go to this one/);
    await expect.poll(() => first.textContent()).toBe("go to this onesession");
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`/sessions/${session_id}$`));
    await goTo("a-session-of-a-client", /^The session/);
    await expect.poll(() => first.textContent()).toBe("The session a-session-of-a-clientsession");
    await page.keyboard.press("Escape");
    await goTo("failu", "Failures view");
    await page.keyboard.press("Enter");
    await page.waitForURL(/runs\?status=ERROR/);
    await goTo("librar", /librarian/i);
    await page.keyboard.press("Enter");
    await page.waitForURL(/component=librarian/);
    await goTo("sess", /^Sessions/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/sessions$/);
    await closeConsole(opened);
  });

  test("an id that is pasted leads to an approval, a dataset, a draft and a skill", async () => {
    const scope = ["agents:read", "agents:run", "components:read", "components:write", "evals:read"];
    const { token, client } = at.asUser("console-paster", [...scope, "evals:write", "approvals:read"]);
    await client.createAgentRun({
      path: { agent_id: "account-desk" },
      body: { message: `[[tool:close_account {"account":"K-99"}]]`, stream: false },
    });
    const { data } = await client.listApprovals();
    const file = new File(["input\nGood morning\n"], "cases.csv");
    const dataset = await client.createDataset({ body: { name: "Pasted cases", file: [file] } });
    const draft = { name: "Pasted draft", component_type: "agent", config: {} } as const;
    const { component_id } = await client.createComponent({ body: draft });
    const opened = await at.open({ path: "/", token });
    const { page } = opened;
    for (const [id = "", option] of [
      [data[0]?.id, /^close_account .*approval$/],
      [dataset.id, /^Pasted cases *dataset$/],
      [component_id, /^Pasted draft .*agent$/],
    ] as const) {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: /^Screen, component/ }).fill(id);
      await page.getByRole("option", { name: option }).waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.href.includes(id));
    }
    await closePage(page);
    // An approval's id is first looked for among sessions.
    expect(opened.faults.filter((fault) => !/status of 40[34]/.test(fault))).toEqual([]);
  });

  test("a user sees their own runs, filters are in the address, and the other's run is not theirs to read", async () => {
    const one = asUser("console-one");
    const other = asUser("console-other");
    await ask(one.client, "a question of one");
    const foreign = await ask(other.client, "a question of the other");
    const opened = await at.open({
      path: "/runs?component=assistant",
      token: one.token,
    });
    const { page } = opened;
    await page.getByRole("link", { name: /a question of one/ }).waitFor();
    await expect.poll(() => page.getByText("a question of the other").count()).toBe(0);
    await expect.poll(() => page.getByLabel("User").count()).toBe(0);
    await page.getByRole("combobox", { name: "Component" }).fill("librar");
    await page.getByRole("option", { name: /agent librarian/ }).click();
    await page.waitForURL(/component=librarian/);
    await page.getByText("No run matches these filters").waitFor();
    await closeConsole(opened);

    const path = `/runs/agent/assistant/${foreign.session_id}/${foreign.run_id}`;
    const refused = await at.open({ path, token: one.token });
    await refused.page.getByText("Not found", { exact: true }).waitFor();
    await closePage(refused.page);
  });

  test("what an agent and a user wrote is text, wherever it stands", async () => {
    const { token, client } = asUser("console-hostile");
    const call = JSON.stringify({ a: 1, b: 2, note: HOSTILE });
    const run = await ask(client, `${HOSTILE} [[tool:add_numbers ${call}]]`);
    const opened = await at.open({ path: "/runs", token });
    await opened.page
      .getByRole("link", { name: /img src=x/ })
      .first()
      .click();
    await opened.page
      .getByRole("button", { name: /add_numbers/ })
      .first()
      .click();
    await opened.page.goto(
      `${at.platform.url}/console/runs/agent/assistant/${run.session_id}/${run.run_id}?view=json`,
    );
    await opened.page.getByText("messages").first().waitFor();
    await expect.poll(() => opened.page.locator("img[src='x']").count()).toBe(0);
    expect(await opened.page.title()).not.toBe("broken");
    await closeConsole(opened);
  });

  test("two runs of a component are compared", async () => {
    const { token, client } = asUser("console-compare");
    await ask(client, "compare this");
    const run = await ask(client, "with that");
    const path = `/runs/agent/assistant/${run.session_id}/${run.run_id}`;
    const opened = await at.open({ path, token });
    const { page } = opened;
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Compare with another run" }).click();
    await page.getByRole("button", { name: /compare this/ }).click();
    await page.getByRole("heading", { name: "The other run" }).waitFor();
    await page.getByText("You said: compare this").first().waitFor();
    await closeConsole(opened);
  });

  test("a run is asked again with other words, and both are compared", async () => {
    const { token, client } = asUser("console-again");
    const { run_id, session_id } = await ask(client, "in these words");
    const opened = await at.open({ path: `/runs/agent/assistant/${session_id}/${run_id}`, token });
    const { page } = opened;
    await page.getByRole("link", { name: "Run again" }).click();
    const message = page.getByRole("textbox", { name: /^Message to/ }).and(page.locator(":focus"));
    await expect.poll(() => message.inputValue()).toBe("in these words");
    await message.fill("in other words");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Compare with the run before" }).click();
    for (const [title, text] of [
      ["This run", "You said: in other words"],
      ["The other run", "You said: in these words"],
    ] as const) {
      const heading = page.getByRole("heading", { name: title, exact: true });
      await page.locator("section.card", { has: heading }).getByText(text).waitFor();
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    await closeConsole(opened);
  });

  test("the spans of a run that an earlier release has written are read, and shown as its steps", async () => {
    const { token, client } = at.asUser("console-earlier", ["agents:read", "agents:run", "traces:read"]);
    const { run_id = "", session_id = "" } = await ask(client, "of an earlier release");
    const view = viewStores(at.platform);
    const trace_id = await putEarlierTrace(view.db, { run_id, session_id, user_id: "console-earlier" });
    view.close();
    const { data } = await client.listTraces({ query: { run_id } });
    expect(data).toMatchObject([{ trace_id, name: "Assistant.run", status: "OK", total_spans: 3 }]);
    const read = await client.getTrace({ path: { trace_id } });
    expect("tree" in read && read.tree).toMatchObject([
      {
        ...{ name: "Assistant.run", type: "AGENT", metadata: { run_id } },
        spans: [
          {
            ...{ name: "model-of-then.invoke", type: "LLM" },
            metadata: { model: "model-of-then", input_tokens: 40, output_tokens: 2 },
          },
          { name: "add_numbers", type: "TOOL", output: "3" },
        ],
      },
    ]);
    const opened = await at.open({ path: `/runs/agent/assistant/${session_id}/${run_id}`, token });
    const steps = opened.page.locator(".span-row");
    await expect
      .poll(() => steps.locator(".span-name").allTextContents())
      .toEqual(["Assistant", "model-of-then", "add_numbers"]);
    expect(await steps.nth(1).textContent()).toContain("1.5 s");
    await closeConsole(opened);
  });

  test("a run under way is shown as it goes: its text, its steps, the time that has passed; a message reaches it, and it is cancelled", async () => {
    const { token, client } = asUser("console-watcher");
    const message = `[[tool:add_numbers {"a":1,"b":2}]] [[tokens:20]] [[sleep:600000]]`;
    const body = { message, stream: false, background: true } as const;
    const run = await client.createAgentRun({ path: { agent_id: "assistant" }, body });
    const path = `/runs/agent/assistant/${run.session_id}/${run.run_id}`;
    const opened = await at.open({ path, token, width: 390 });
    const { page } = opened;
    await page.getByText("word20").waitFor();
    await page.getByText("Has run").waitFor();
    const steps = page.locator(".span-row");
    await expect
      .poll(() => steps.locator(".span-name").allTextContents())
      .toEqual(["Assistant", "scripted-1", "add_numbers", "scripted-1"]);
    expect(await steps.last().locator("[data-running]").count()).toBe(1);
    await page.getByLabel("Say something to this run").fill("and hurry");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("list", { name: "Said to this run" }).getByText("Waits for the next step").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Cancel the run" }).click();
    await page.locator(".meta").getByText("Cancelled").waitFor();
    await expect.poll(() => page.getByLabel("Say something to this run").count()).toBe(0);
    await closeConsole(opened);
  });
});

type EarlierRun = { readonly run_id: string; readonly session_id: string; readonly user_id: string };

/** Puts a trace as the release wrote it that first had traces: shapes 1, without what later spans say. @returns its id */
async function putEarlierTrace(db: Db, { run_id, session_id, user_id }: EarlierRun): Promise<string> {
  const trace_id = traceIdOf(run_id);
  const start_ms = Date.now() - 60_000;
  const end_ms = start_ms + 1_500;
  const [root, model, tool] = ["a", "b", "c"].map((digit) => digit.repeat(16));
  const whole = { start_ms, end_ms, seen_ms: end_ms, status: "OK" };
  const ofRun = { "gen_ai.conversation.id": session_id, "user.id": user_id };
  const spans = [
    {
      ...{ id: root, name: "Assistant.run", ...whole },
      attributes: {
        ...{ "openinference.span.kind": "AGENT", "gen_ai.operation.name": "invoke_agent" },
        ...{ "input.value": "of an earlier release", "output.value": "3", "agent_platform.run.id": run_id },
        ...{ ...ofRun, "gen_ai.agent.id": "assistant", "gen_ai.agent.name": "Assistant" },
      },
    },
    {
      ...{ id: model, parent_id: root, name: "model-of-then.invoke", ...whole },
      attributes: {
        ...{ "openinference.span.kind": "LLM", "gen_ai.operation.name": "chat" },
        ...{ "gen_ai.request.model": "model-of-then", "gen_ai.provider.name": "Of then" },
        ...{ "gen_ai.usage.input_tokens": 40, "gen_ai.usage.output_tokens": 2 },
      },
    },
    {
      ...{ id: tool, parent_id: root, name: "add_numbers", ...whole, start_ms: start_ms + 1_000 },
      attributes: {
        ...{ "openinference.span.kind": "TOOL", "gen_ai.operation.name": "execute_tool" },
        ...{ "gen_ai.tool.name": "add_numbers", "gen_ai.tool.call.id": "call-1" },
        ...{ "gen_ai.tool.call.arguments": '{"a":1,"b":2}', "output.value": "3" },
      },
    },
  ];
  const pk = `trace#${trace_id}`;
  const owner_key = `owner#${user_id}`;
  const shape = 1;
  const expires_at = now() + 86_400;
  const written = `1#${start_ms}`.padStart(22, "0");
  await putItems(db, "traces", [
    { pk, sk: `${owner_key}#spans#${written}#000000`, spans: await packJson(spans), expires_at, shape },
    {
      ...{ pk, sk: `${owner_key}#trace`, trace_id, name: "Assistant.run", status: "OK", start_ms, end_ms },
      ...{ created_ms: end_ms, total_spans: 3, error_count: 0, input: "of an earlier release" },
      ...{
        run_id,
        session_id,
        user_id,
        agent_id: "assistant",
        owner_key,
        all_key: "all#0",
        expires_at,
        shape,
      },
      component_key: "component#agent_id#assistant",
      session_key: `session#${user_id}#${session_id}`,
      opened: startKey(start_ms, trace_id),
    },
  ]);
  return trace_id;
}
