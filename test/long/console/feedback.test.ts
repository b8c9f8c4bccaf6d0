import { expect } from "vitest";
import { giveFeedback } from "../../../shared/stores/feedback/index.ts";
import { getSessionHead } from "../../../shared/stores/sessions/session-item.ts";
import { describeConsole } from "../../console/support/describe-console.ts";
import { closeConsole } from "../../console/support/open-console.ts";
import { test } from "../../support/shared-platform.ts";
import { viewStores } from "../../support/stored.ts";

describeConsole("feedback, in the console", (at) => {
  const scopes = ["agents:read", "agents:run", "sessions:read"];
  const ask = (client: ReturnType<typeof at.asUser>["client"], message: string) =>
    client.createAgentRun({ path: { agent_id: "assistant" }, body: { message, stream: false } });

  test("a reader calls a run bad by the keyboard, says why, and corrects it", async () => {
    const { token, client } = at.asUser("console-judge", scopes);
    const { run_id = "", session_id = "" } = await ask(client, "what does it cost");
    await ask(client, "not judged by its user");
    const said = async () =>
      (await client.listRunFeedback({ path: { run_id }, query: { session_id } })).data.map(
        ({ key, score, value, comment, correction, source }) => ({
          key,
          score,
          value,
          comment,
          correction,
          source,
        }),
      );
    const opened = await at.open({ path: `/runs/agent/assistant/${session_id}/${run_id}`, token });
    const { page } = opened;
    const feedback = page.getByRole("region", { name: "Feedback" });
    const bad = feedback.getByRole("button", { name: "Bad", exact: true });
    await bad.focus();
    await page.keyboard.press("Space");
    await expect.poll(said).toMatchObject([{ key: "thumb", score: 0, source: "console" }]);
    await expect.poll(() => bad.getAttribute("aria-pressed")).toBe("true");
    await feedback.getByRole("button", { name: "Comment or correct" }).click();
    const dialog = page.getByRole("dialog", { name: "Comment or correct" });
    await dialog.getByLabel("Comment").fill("That price is from last year");
    await dialog.getByLabel("Correction").fill("It costs 12 euros");
    await dialog.getByLabel("Label", { exact: true }).fill("tone");
    await dialog.getByLabel("Value of the label").fill("kind");
    await dialog.getByRole("button", { name: "Save" }).click();
    await feedback.getByText("That price is from last year").waitFor();
    await feedback.getByText("tone: kind").waitFor();
    expect(await said()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ key: "thumb", score: 0, comment: "That price is from last year" }),
        expect.objectContaining({ key: "correction", correction: "It costs 12 euros" }),
        expect.objectContaining({ key: "tone", value: "kind" }),
      ]),
    );
    await feedback.getByRole("button", { name: "Take back: tone: kind" }).click();
    await expect.poll(() => feedback.getByText("tone: kind").count()).toBe(0);
    await page.getByRole("button", { name: "Good answer" }).last().click();
    await expect.poll(said).toContainEqual(expect.objectContaining({ key: "thumb", score: 1 }));
    await page.getByRole("link", { name: "All runs called bad" }).click();
    await page.getByRole("link", { name: /what does it cost/ }).waitFor();
    expect(await page.getByRole("link", { name: /not judged by its user/ }).count()).toBe(0);
    await closeConsole(opened);
  });

  test("an operator reviews what a user said", async () => {
    const { client } = at.asUser("console-judged", scopes);
    const { run_id = "", session_id = "" } = await ask(client, "is it reviewed");
    const body = { session_id, key: "correction", correction: "On Tuesday" };
    await client.giveFeedback({ path: { run_id }, body });
    const opened = await at.open({ path: `/runs/agent/assistant/${session_id}/${run_id}` });
    const { page } = opened;
    await page.getByRole("button", { name: "Mark as reviewed: Correction" }).click();
    await page.getByText(/· reviewed/).waitFor();
    const { data } = await client.listRunFeedback({ path: { run_id }, query: { session_id } });
    expect(data.map(({ review_status }) => review_status)).toEqual(["reviewed"]);
    await closeConsole(opened);
  });

  test("a verdict from a chat is shown with who gave it", async () => {
    const { client } = at.asUser("console-chats", scopes);
    const { run_id = "", session_id = "" } = await ask(client, "is it from a chat");
    const { db, close } = viewStores(at.platform);
    const session = await getSessionHead(db, session_id);
    if (!session) throw new Error("no session");
    const component = { component_type: "agent", component_id: "assistant" } as const;
    const given = {
      key: "thumb",
      score: 0,
      source: "chat",
      author: "sl:UGRACE",
      role: "participant",
    } as const;
    const whose = { run_id, session_id, user_id: session.user_id };
    await giveFeedback(db, session, { ...whose, ...component, ...given }, Math.floor(Date.now() / 1000));
    close();
    const opened = await at.open({ path: `/runs/agent/assistant/${session_id}/${run_id}` });
    await opened.page.getByText(/sl:UGRACE .* in the chat/).waitFor();
    await closeConsole(opened);
  });
});
