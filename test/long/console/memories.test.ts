import { expect } from "vitest";
import { describeConsole } from "../../console/support/describe-console.ts";
import { closeConsole } from "../../console/support/open-console.ts";
import { test } from "../../support/shared-platform.ts";

const HOSTILE = `<img src=x onerror="document.title='broken'">`;
const SCOPES = ["read", "write", "delete"].flatMap((act) => [`memories:${act}`, `learnings:${act}`]);

describeConsole("memories, in the console", (at) => {
  const remember = (user_id: string, memory: string, topics: readonly string[]) =>
    at.admin.createMemory({ body: { memory, topics, user_id } });
  const learn = (user_id: string, content: Readonly<Record<string, unknown>>) =>
    at.admin.createLearning({ body: { learning_type: "user_profile", user_id, content } });
  const memoriesOf = async (user_id: string) =>
    (await at.admin.listMemories({ query: { user_id } })).data.map(({ memory, topics }) => [memory, topics]);

  test("an admin chooses a person, finds a memory by its topic, corrects it and deletes others", async () => {
    await remember("console-known", "Sails in winter", ["sailing"]);
    await remember("console-known", "Has a dog", ["animals"]);
    await remember("console-known", "Has a cat", ["animals"]);
    const opened = await at.open({ path: "/memories" });
    const { page } = opened;
    await page.getByRole("link", { name: "console-known" }).click();
    await page.waitForURL(/user=console-known/);
    await page.getByText("3 memories", { exact: true }).waitFor();
    await page.getByRole("button", { name: /Topic/ }).click();
    await page.getByRole("option", { name: "sailing" }).click();
    await page.waitForURL(/topic=sailing/);
    await page.getByText("1 memory", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Correct: Sails in winter" }).click();
    const form = page.getByRole("dialog", { name: "Correct this memory" });
    await form.getByLabel("Memory").fill("Sails in summer");
    await form.getByLabel("Topics").fill("sailing, summer");
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByRole("listitem").getByText("Sails in summer").waitFor();
    expect(await memoriesOf("console-known")).toContainEqual(["Sails in summer", ["sailing", "summer"]]);

    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByLabel("Search").fill("Has a");
    await page.waitForURL(/text=Has/);
    await page.getByText("2 memories", { exact: true }).waitFor();
    for (const row of await page.getByRole("listitem").filter({ hasText: "Has a" }).all()) {
      await row.locator(".check").click();
    }
    await page.getByRole("button", { name: "Delete 2" }).click();
    await page.getByRole("button", { name: "Delete 2 memories" }).click();
    await page.getByText("2 memories are deleted.").waitFor();
    expect(await memoriesOf("console-known")).toEqual([["Sails in summer", ["sailing", "summer"]]]);
    await closeConsole(opened);
  });

  test("a person corrects and deletes what was learned about them, and sees no other user's", async () => {
    const token = at.platform.token("console-learned", SCOPES);
    await learn("console-learned", { city: "Bern", note: HOSTILE });
    await learn("console-stranger", { city: "Nowhere" });
    await remember("console-learned", `${HOSTILE} of mine`, [HOSTILE]);
    await remember("console-stranger", "a stranger's secret", []);
    const opened = await at.open({ path: "/memories", token });
    const { page } = opened;
    await page.getByText(/of mine/).waitFor();
    await expect.poll(() => page.getByText("a stranger's secret").count()).toBe(0);
    await page.getByRole("link", { name: "Learnings" }).click();
    await page.getByText("Bern").first().waitFor();
    await expect.poll(() => page.getByText("Nowhere").count()).toBe(0);
    // Learnings without an owner are listed too, as other tests have made some.
    const learned = (text: string) => page.getByRole("listitem").filter({ hasText: text });
    await learned("Bern")
      .getByRole("button", { name: /^Correct/ })
      .click();
    const form = page.getByRole("dialog", { name: "Correct this learning" });
    await form.getByLabel("Content").fill("[");
    await form.getByText("This is not a JSON object.").waitFor();
    await form.getByLabel("Content").fill('{"city":"Basel"}');
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "hidden" });
    await page.getByText("Basel").first().waitFor();
    const found = async () => (await at.admin.listLearnings({ query: { user_id: "console-learned" } })).data;
    expect((await found())[0]?.content).toEqual({ city: "Basel" });
    await learned("Basel")
      .getByRole("button", { name: /^Delete/ })
      .click();
    await page.getByRole("button", { name: "Delete the learning" }).click();
    await expect.poll(() => learned("Basel").count()).toBe(0);
    expect(await found()).toEqual([]);
    await expect.poll(() => page.locator("img[src='x']").count()).toBe(0);
    expect(await page.title()).not.toBe("broken");
    await closeConsole(opened);
  });

  test("memories are merged after a preview", async () => {
    // The scripted model answers with this, and not with what it read.
    await remember("console-merges", "[[answer:Sails.]] and some more words that make it a long memory", [
      "a",
    ]);
    await remember("console-merges", "Prefers metric units wherever there is a choice of units", ["b"]);
    const opened = await at.open({ path: "/memories?user=console-merges" });
    const { page } = opened;
    await page.getByRole("button", { name: "Merge into one" }).click();
    const asked = page.getByRole("dialog", { name: "Merge the memories of console-merges?" });
    await asked.getByRole("button", { name: "Show a preview" }).click();
    await asked.getByText("Sails.", { exact: true }).waitFor();
    await asked.getByText("2 → 1").waitFor();
    expect(await memoriesOf("console-merges")).toHaveLength(2);
    await asked.getByRole("button", { name: "Merge 2 memories" }).click();
    await page.getByText("The memories are merged into one.").waitFor();
    expect(await memoriesOf("console-merges")).toEqual([["Sails.", ["a", "b"]]]);
    await closeConsole(opened);
  });
});
