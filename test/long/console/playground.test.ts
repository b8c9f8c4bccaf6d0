import type { Page } from "playwright-core";
import { expect } from "vitest";
import { describeConsole } from "../../console/support/describe-console.ts";
import { accessibilityFaults, closeConsole, overflows } from "../../console/support/open-console.ts";
import { closePage } from "../../support/browser.ts";
import { test } from "../../support/shared-platform.ts";

const HOSTILE = `<img src=x onerror="document.title='broken'">`;
const scopes = ["agents", "teams", "workflows"].flatMap((kind) => [`${kind}:read`, `${kind}:run`]);

describeConsole("the playground, in a browser", (at) => {
  const asUser = (sub: string) =>
    at.asUser(sub, [...scopes, "sessions:read", "sessions:write", "config:read"]);
  const box = (page: Page) => page.getByRole("textbox", { name: /^Message to/ });
  const say = async (page: Page, text: string) => {
    await box(page).fill(text);
    await box(page).press("Enter");
  };
  /** The session that the address names. */
  const sessionIn = async (page: Page): Promise<string> => {
    await page.waitForURL(/\/playground\/\w+\/[\w-]+\/[\w-]+/);
    return decodeURIComponent(new URL(page.url()).pathname.split("/").at(-1) ?? "");
  };

  test("a component is found, asked, and its call confirmed where it waits", async () => {
    const { token, client } = asUser("playground-asker");
    const opened = await at.open({ path: "/playground", token });
    const { page } = opened;
    await page.getByRole("link", { name: "Assistant", exact: true }).waitFor();
    await page.getByLabel("Search").fill("refunds");
    await page.waitForURL(/q=refunds/);
    await expect.poll(() => page.getByRole("link", { name: "Assistant", exact: true }).count()).toBe(0);
    await page.getByRole("link", { name: "Refund desk", exact: true }).click();
    await say(page, `${HOSTILE} [[tool:issue_refund {"order_id":"A-7","amount":5}]]`);
    await page.getByRole("heading", { name: "This run waits for a decision" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel("Note (optional)").fill("as agreed");
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Refunded 5 for order A-7.").first().waitFor();
    await page.getByRole("link", { name: "Details" }).waitFor();
    const session_id = await sessionIn(page);
    const runs = () => client.listAgentRuns({ path: { agent_id: "refund-desk" }, query: { session_id } });
    await expect.poll(runs).toMatchObject([{ status: "COMPLETED", tools: [{ confirmed: true }] }]);
    await expect.poll(() => page.locator("img[src='x']").count()).toBe(0);
    expect(await page.title()).not.toBe("broken");
    await closeConsole(opened);
  });

  test("a run is stopped, and one that a reload interrupted is followed to its end", async () => {
    const { token, client } = asUser("playground-stopper");
    const path = { agent_id: "assistant" };
    const opened = await at.open({ path: "/playground/agent/assistant", token });
    const { page } = opened;
    await say(page, "[[tokens:20]] [[sleep:60000]]");
    const session_id = await sessionIn(page);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByText("Cancelled").waitFor();
    const statuses = async () =>
      (await client.listAgentRuns({ path, query: { session_id } })).map(({ status }) => status);
    await expect.poll(statuses).toEqual(["CANCELLED"]);

    await say(page, "[[sleep:4000]] it goes on without me");
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
    await expect
      .poll(async () => (await client.listAgentRuns({ path, query: { session_id } })).length)
      .toBe(2);
    await page.reload();
    // The message is there before its answer.
    await page.getByText("it goes on without me").first().waitFor();
    await page.getByText(/You said:.*it goes on without me/).waitFor();
    await page.getByRole("link", { name: "Details" }).nth(1).waitFor();
    await page.getByRole("button", { name: "Answer again" }).click();
    await expect.poll(statuses).toEqual(["CANCELLED", "REGENERATED", "COMPLETED"]);
    await closeConsole(opened);
  });

  test("what is written while a run goes on is said to it, can be taken back, and is shown where it was read", async () => {
    const { token, client } = asUser("playground-talker");
    const path = { agent_id: "assistant" };
    const opened = await at.open({ path: "/playground/agent/assistant", token });
    const { page } = opened;
    await say(page, "[[tokens:20]] [[sleep:60000]]");
    const session_id = await sessionIn(page);
    await page.getByRole("button", { name: "Now", exact: true }).waitFor();
    await say(page, "taken back");
    const said = page.getByRole("list", { name: "Said to this run" });
    await said.getByText("Waits for the next step").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await said.getByRole("button", { name: "Withdraw" }).click();
    await said.getByText("Withdrawn").waitFor();
    await say(page, "too late");
    await said.getByText("Waits for the next step").waitFor();
    await box(page).fill("and then");
    await page.getByRole("button", { name: "Afterwards" }).click();
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor();
    const runs = () => client.listAgentRuns({ path, query: { session_id } });
    await expect.poll(async () => (await runs()).length).toBe(2);
    const run_id = (await runs())[0]?.run_id ?? "";
    await client.cancelAgentRun({ path: { ...path, run_id }, query: { session_id } });
    await said.getByText("Not read").waitFor();
    await page.getByText("You said: and then").waitFor();
    const { messages } = await client.listAgentMessages({ path: { ...path, run_id }, query: { session_id } });
    expect(messages.map(({ content, state }) => [content, state])).toEqual([
      ["taken back", "withdrawn"],
      ["too late", "unread"],
    ]);
    await say(page, "[[tokens:5]] [[sleep:3000]]");
    await page.getByRole("button", { name: "Now", exact: true }).waitFor();
    await say(page, "read in time");
    await page.getByText("You said: read in time").waitFor();
    await page.reload();
    await page.getByText("You said: read in time").waitFor();
    await expect.poll(() => page.getByText("read in time", { exact: true }).count()).toBe(1);
    await closeConsole(opened);
  });

  test("a broken connection is said, and its run is found again", async () => {
    const { token } = asUser("playground-unlucky");
    const opened = await at.open({ path: "/playground/agent/assistant", token });
    const { page } = opened;
    await box(page).waitFor();
    // The stream of the run breaks off at once, after the run was begun.
    await page.route("**/agents/assistant/runs", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      void route.fetch().catch(() => undefined);
      await page.route("**/agents/assistant/runs?*", (later) => later.abort("connectionrefused"), {
        times: 1,
      });
      await route.abort("connectionreset");
    });
    await say(page, "[[sleep:1500]] are you there?");
    await page.getByText("The connection was lost.").first().waitFor();
    await page.getByText(/You said:.*are you there/).waitFor();
    await closePage(page);
  });

  test("files are sent, answers show theirs, a failed run is tried again, and a session is opened again", async () => {
    const { token, client } = asUser("playground-files");
    const opened = await at.open({ path: "/playground/agent/assistant", token });
    const { page } = opened;
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add files" }).click();
    const text = { mimeType: "text/plain", buffer: Buffer.from("The answer is 42.") };
    await (await choosing).setFiles([
      { name: "answer.txt", ...text },
      { name: `${HOSTILE}.txt`, ...text },
    ]);
    await page.getByText("34 B of 4.7 MB").waitFor();
    await say(page, `look [[tool:draw_badge {"colour":"#cc0033"}]]`);
    await page.getByRole("img", { name: "badge.png" }).waitFor();
    await page.getByRole("link", { name: "Details" }).waitFor();
    const session_id = await sessionIn(page);
    const path = { agent_id: "assistant" };
    const [run] = await client.listAgentRuns({ path, query: { session_id } });
    if (!run || !("input_media" in run)) throw new Error("there is no run");
    expect(run.input_media.files.map(({ filename }) => filename)).toContain("answer.txt");

    await say(page, "[[fail:the provider is down]]");
    await page.getByRole("alert").getByText("the provider is down").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("alert").getByText("the provider is down").waitFor();
    await page.getByRole("button", { name: "Fork" }).click();
    await expect
      .poll(async () => (await client.listAgentRuns({ path, query: { session_id } })).length)
      .toBe(3);

    const tooLarge = { name: "film.mp4", mimeType: "video/mp4", buffer: Buffer.alloc(4_700_000) };
    const choosingAgain = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add files" }).click();
    await (await choosingAgain).setFiles(tooLarge);
    await page
      .getByRole("alert")
      .getByText(/more than one message can carry/)
      .waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Send", exact: true }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Remove film.mp4" }).click();

    await page.getByRole("link", { name: "New session" }).click();
    await page.getByText("Talk to Assistant").waitFor();
    await page.getByRole("navigation", { name: "Sessions" }).getByRole("link").first().click();
    await page.getByRole("img", { name: "badge.png" }).waitFor();
    await page.reload();
    await page.getByText("answer.txt").waitFor();
    await page.getByRole("img", { name: "badge.png" }).waitFor();
    await expect.poll(() => page.locator("img[src='x']").count()).toBe(0);
    await closeConsole(opened);
  });

  test("an agent with an input schema is asked by a form, and settings are sent with the run", async () => {
    const { token, client } = asUser("playground-form");
    const opened = await at.open({ path: "/playground/agent/order-intake", token });
    const { page } = opened;
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect.poll(() => page.getByText("This field is required.").count()).toBe(3);
    await page.getByLabel("Customer").fill("Maria");
    await page.getByLabel("Sku").fill("A-1");
    await page.getByLabel("Count").fill("two");
    await page.getByText("Enter a whole number.").waitFor();
    await page.getByLabel("Count").fill("2");
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByLabel("Metadata (JSON)").fill("[1]");
    await page.getByText("This must be a JSON object.").waitFor();
    await page.getByLabel("Metadata (JSON)").fill('{"from":"the playground"}');
    await page.getByText("Run in the background").click();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await page.getByRole("link", { name: "Details" }).waitFor();
    const session_id = await sessionIn(page);
    const path = { agent_id: "order-intake" };
    const [row] = await client.listAgentRuns({ path, query: { session_id } });
    expect(JSON.parse(row?.run_input ?? "")).toEqual({
      customer: "Maria",
      items: [{ sku: "A-1", count: 2 }],
    });
    const run_id = row?.run_id ?? "";
    await expect
      .poll(() => client.getAgentRun({ path: { ...path, run_id }, query: { session_id } }))
      .toMatchObject({ status: "COMPLETED", metadata: { from: "the playground" } });
    await closeConsole(opened);
  });

  test("one message is answered by two beside each other, on every display", async () => {
    const { token, client } = asUser("playground-both");
    const path = "/playground/compare?left=agent%2Fassistant&right=agent%2Flibrarian";
    const opened = await at.open({ path, token, theme: "dark" });
    const { page } = opened;
    await say(page, "who are you two?");
    for (const side of ["Left side", "Right side"])
      await page.getByRole("region", { name: side }).getByText("You said: who are you two?").waitFor();
    await page.waitForURL(/left_session=.*right_session=|right_session=.*left_session=/);
    const asked = new URL(page.url()).searchParams;
    for (const [agent_id, name] of [
      ["assistant", "left_session"],
      ["librarian", "right_session"],
    ] as const) {
      const session_id = asked.get(name) ?? "";
      expect(await client.listAgentRuns({ path: { agent_id }, query: { session_id } })).toHaveLength(1);
    }
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.reload();
    await page.getByRole("region", { name: "Right side" }).getByText("You said: who are you two?").waitFor();
    for (const address of [path, "/playground", "/playground/agent/assistant"]) {
      await page.goto(`${at.platform.url}/console${address}`);
      await page.locator("main h1").waitFor();
      for (const width of [375, 768, 1280, 1920]) {
        await page.setViewportSize({ width, height: 800 });
        expect([address, width, await overflows(page)]).toEqual([address, width, false]);
      }
    }
    await closeConsole(opened);
  });
});
