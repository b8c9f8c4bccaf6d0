import { expect } from "vitest";
import { createClient } from "../../../client/index.ts";
import { describeConsole } from "../../console/support/describe-console.ts";
import { closeConsole } from "../../console/support/open-console.ts";
import { closePage } from "../../support/browser.ts";
import { test } from "../../support/shared-platform.ts";

const HOSTILE = `<img src=x onerror="document.title='broken'">`;
const SCOPES = ["agents:read", "agents:run", "sessions:read", "sessions:write", "sessions:delete"];

describeConsole("sessions, in the console", (at) => {
  const asUser = (sub: string) => {
    const token = at.platform.token(sub, SCOPES);
    const client = createClient({ baseUrl: at.platform.url, token });
    const say = (session_id: string, message: string) =>
      client.createAgentRun({
        path: { agent_id: "assistant" },
        body: { message, session_id, stream: false },
      });
    const name = (session_id: string, session_name: string) =>
      client.renameSession({ path: { session_id }, body: { session_name } });
    /** Lists are behind writes by a moment. Only names that were given are searched. */
    const listed = async () => (await client.listSessions()).data.length;
    const running = async (agent_id: string, session_id: string) =>
      (await client.listAgentRuns({ path: { agent_id }, query: { session_id, status: "RUNNING" } })).length;
    const find = async (name: string) =>
      (await client.listSessions({ query: { session_name: name } })).data.length;
    return { token, client, say, name, listed, running, find };
  };

  test("one is found by its name, read, renamed, forked and deleted", async () => {
    const { token, client, say, name, find } = asUser("console-talks");
    await say("console-talk", "a talk about boats");
    await say("console-talk", `and a sum [[tool:add_numbers {"a":2,"b":3}]]`);
    await say("console-other-talk", "something else");
    await name("console-talk", "a talk about boats");
    await expect.poll(() => find("about boats")).toBe(1);
    const opened = await at.open({ path: "/sessions", token });
    const { page } = opened;
    await page.getByRole("link", { name: "something else" }).waitFor();
    await page.getByLabel("Name").fill("about boats");
    await page.waitForURL(/name=about/);
    await page.getByText("1 session", { exact: true }).waitFor();
    await page.getByRole("link", { name: "a talk about boats" }).click();
    const talk = page.getByRole("region", { name: "Conversation" });
    await talk.getByText("You said: a talk about boats").waitFor();
    await talk.getByRole("button", { name: /add_numbers/ }).waitFor();
    await talk.getByRole("link", { name: "Open the run" }).first().waitFor();

    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Boats and sums");
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
    await page.getByRole("heading", { name: "Boats and sums", level: 1 }).waitFor();
    const read = (session_id: string) => client.getSession({ path: { session_id } });
    expect(await read("console-talk")).toMatchObject({ session_name: "Boats and sums" });

    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Fork" }).click();
    await page.waitForURL(
      (url) => /\/sessions\/./.test(url.pathname) && !url.pathname.endsWith("/console-talk"),
    );
    const forked = decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");
    await talk.getByText("You said: a talk about boats").waitFor();
    expect(await client.listSessionRuns({ path: { session_id: forked } })).toHaveLength(2);

    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    const asked = page.getByRole("dialog", { name: "Delete this session?" });
    await asked.getByText(/are deleted for good/).waitFor();
    await asked.getByRole("button", { name: "Delete the session" }).click();
    await page.waitForURL(/\/sessions$/);
    await expect(read(forked)).rejects.toMatchObject({ status: 404 });
    expect(await read("console-talk")).toMatchObject({ session_id: "console-talk" });
    await closeConsole(opened);
  });

  test("several are selected and deleted", async () => {
    const { token, say, name, find } = asUser("console-deletes");
    for (const text of ["first to go", "second to go", "third stays"]) {
      await say(`console-${text}`, text);
      await name(`console-${text}`, text);
    }
    await expect.poll(() => find("to go")).toBe(2);
    const opened = await at.open({ path: "/sessions?name=to+go", token });
    const { page } = opened;
    await page.getByText("2 sessions", { exact: true }).waitFor();
    await page.locator(".list-head .check").click();
    await page.getByRole("button", { name: "Delete 2" }).click();
    await page.getByRole("button", { name: "Delete 2 sessions" }).click();
    await page.getByText("No session matches these filters").waitFor();
    expect(await find("to go")).toBe(0);
    expect(await find("third stays")).toBe(1);
    await closeConsole(opened);
  });

  test("a user sees their own, and what was written is text", async () => {
    const own = asUser("console-own-talks");
    const other = asUser("console-other-talks");
    await own.say("console-own-talk", `${HOSTILE} **bold**`);
    await other.say("console-foreign-talk", "a private matter");
    await expect.poll(own.listed).toBe(1);
    const opened = await at.open({ path: "/sessions", token: own.token });
    const { page } = opened;
    await page.getByRole("link", { name: /img src=x/ }).waitFor();
    await expect.poll(() => page.getByText("a private matter").count()).toBe(0);
    await page.getByRole("link", { name: /img src=x/ }).click();
    await page.locator(".markdown strong", { hasText: "bold" }).waitFor();
    await page.locator(".markdown", { hasText: HOSTILE }).waitFor();
    await expect.poll(() => page.locator("img[src='x']").count()).toBe(0);
    expect(await page.title()).not.toBe("broken");
    await closeConsole(opened);
    const path = "/sessions/console-foreign-talk";
    const refused = await at.open({ path, token: own.token });
    await refused.page.getByText("Not found", { exact: true }).waitFor();
    await closePage(refused.page);
  });

  test("a run in progress is shown after a reload, before it has said anything, and followed to its end", async () => {
    const { token, say, running } = asUser("console-reloads");
    const session_id = "console-reloaded-talk";
    const opened = await at.open({ path: "/sessions", token });
    const { page } = opened;
    const talk = page.getByRole("region", { name: "Conversation" });
    // The first of its session, and one after another.
    for (const words of ["slow boats", "slower boats"]) {
      const answered = say(session_id, `${words} [[sleep:6000]]`);
      await expect.poll(() => running("assistant", session_id)).toBe(1);
      await page.goto(`${at.platform.url}/console/sessions/${session_id}`);
      await talk.getByText("Running", { exact: true }).waitFor();
      await page.reload();
      await talk.getByText("Running", { exact: true }).waitFor();
      await talk.getByText(words).first().waitFor();
      await answered;
      await talk.getByText(`You said: ${words}`).waitFor();
      await expect.poll(() => talk.getByText("Running", { exact: true }).count()).toBe(0);
    }
    await closeConsole(opened);
  });

  test("Back finds the list where it was left, with what was selected; a link of it opens in a tab that is signed in", async () => {
    const { token, client } = asUser("console-comes-back");
    for (let number = 1; number <= 40; number++)
      await client.createSession({ body: { session_name: `talk ${number}`, agent_id: "assistant" } });
    await expect.poll(async () => (await client.listSessions()).meta.total_count).toBe(40);
    const opened = await at.open({ path: "/sessions", token });
    const { page } = opened;
    const list = page.locator(".list-scroll");
    const top = () => list.evaluate(({ scrollTop }) => scrollTop);
    await page.getByText("40 sessions", { exact: true }).waitFor();
    await list.evaluate((element) => {
      element.scrollTop = 900;
    });
    // Sessions of one second are in no order of their names, so it is one that is in view. A click on another would scroll to it.
    const inView = () =>
      list.evaluate((element) => {
        const { top: from, bottom } = element.getBoundingClientRect();
        const links = [...element.querySelectorAll("a")].filter((link) => {
          const box = link.getBoundingClientRect();
          return (
            /^talk \d+$/.test(link.textContent ?? "") && box.top > from + 100 && box.bottom < bottom - 50
          );
        });
        return links[0]?.textContent ?? "";
      });
    await expect.poll(inView).not.toBe("");
    const name = await inView();
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) });
    await row.locator(".check").click();
    await page.getByText("1 selected").waitFor();
    await row.getByRole("link").click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(top).toBe(900);
    await page.getByText("1 selected").waitFor();
    const chosen = page.getByRole("checkbox", { name: `Select ${name}`, exact: true });
    await expect.poll(() => chosen.isChecked()).toBe(true);

    const opening = page.context().waitForEvent("page");
    await row.getByRole("link").click({ modifiers: ["Control"] });
    const other = await opening;
    await other.getByRole("heading", { name, level: 1 }).waitFor();
    await page.getByRole("link", { name: "Home" }).click();
    await page.getByRole("link", { name: "Sessions" }).click();
    await page.getByText("40 sessions", { exact: true }).waitFor();
    await expect.poll(top).toBe(0);
    await closeConsole(opened);
  });
});
