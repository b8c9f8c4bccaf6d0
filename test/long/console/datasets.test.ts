import type { Page } from "playwright-core";
import { expect } from "vitest";
import { describeConsole } from "../../console/support/describe-console.ts";
import { accessibilityFaults, closeConsole, overflows } from "../../console/support/open-console.ts";
import { test } from "../../support/shared-platform.ts";

const scopes = [
  ...["agents:read", "agents:run", "sessions:read", "sessions:delete", "feedback:read"],
  ...["evals:read", "evals:write", "evals:delete"],
];

describeConsole("cases from runs, in the console", (at) => {
  const ask = (client: ReturnType<typeof at.asUser>["client"], message: string) =>
    client.createAgentRun({ path: { agent_id: "assistant" }, body: { message, stream: false } });
  const exported = async (page: Page, name: RegExp) => {
    const coming = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    await page.getByRole("menuitem", { name }).click();
    const { text } = await import("node:stream/consumers");
    const lines = (await text(await (await coming).createReadStream())).trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line));
  };
  /** A dialog has to be usable on a telephone as on a desk, in both themes. */
  const isUsable = async (page: Page) => {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await overflows(page)).toBe(false);
    }
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await accessibilityFaults(page, "colours")).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
  };

  test("runs that are selected become cases of a new dataset, which shows where they are from", async () => {
    const { token, client } = at.asUser("console-cases", scopes);
    await ask(client, "how are you");
    await ask(client, "[[tool:get_time {}]]");
    const failed = await ask(client, "[[fail:boom]]");
    const opened = await at.open({ path: "/runs", token, width: 1440, height: 900 });
    const { page } = opened;
    await page.getByRole("checkbox", { name: "Select all that are shown" }).click({ force: true });
    await page.getByRole("button", { name: "Add to dataset" }).click();
    const form = page.getByRole("dialog", { name: "Add 3 runs to a dataset" });
    // The reader's own: nothing is taken out unless asked for.
    expect(await form.getByRole("checkbox", { name: "Email addresses" }).isChecked()).toBe(false);
    await form.getByText("Choose a dataset, or name a new one.").waitFor();
    await form.getByLabel("Name of the new dataset").fill("Small talk");
    await form.getByRole("radio", { name: "Train" }).click();
    await form.getByLabel("Tags (optional)").fill("polite, short, polite");
    await isUsable(page);
    await form.getByRole("button", { name: "Add 3 cases" }).click();
    const done = page.getByRole("dialog", { name: "Added to Small talk" });
    await done.getByText("2 cases were added, as version 2; 1 skipped.").waitFor();
    await done.getByText("it is ERROR, and has no answer").waitFor();
    await isUsable(page);
    await done.getByRole("link", { name: "Open the dataset" }).click();

    await page.getByRole("heading", { name: "Small talk", level: 1 }).waitFor();
    await page.getByRole("heading", { name: "2 cases" }).waitFor();
    expect(await page.getByText("polite, short", { exact: true }).count()).toBe(2);
    await isUsable(page);
    expect(await exported(page, /^JSONL/)).toMatchObject([
      { input: "[[tool:get_time {}]]", split: "train" },
      { input: "how are you", tags: ["polite", "short"] },
    ]);
    const lines = await exported(page, /^For training/);
    expect(lines.map((line) => Object.keys(line))).toEqual([["messages"]]);
    await page.getByText("1 case exported; 1 left out").waitFor();
    await page.getByRole("link", { name: "a run of agent assistant" }).first().click();
    await page.getByRole("heading", { name: "[[tool:get_time {}]]", level: 1 }).waitFor();
    await page.goBack();

    await page.getByRole("button", { name: "Tags and split of case 2" }).click();
    const sorting = page.getByRole("dialog", { name: "Tags and split" });
    await sorting.getByLabel("Tags").fill("greeting");
    await sorting.getByRole("radio", { name: "No split" }).click();
    await isUsable(page);
    await sorting.getByRole("button", { name: "Save as the next version" }).click();
    await page.getByText("The case is changed: version 3.").waitFor();
    await page.getByText("greeting", { exact: true }).waitFor();
    const [dataset] = (await client.listDatasets()).data;
    const path3 = { dataset_id: dataset?.id ?? "" };
    const [, changed] = (await client.listDatasetCases({ path: path3 })).data;
    expect(changed).toMatchObject({ input: "how are you", tags: ["greeting"] });
    expect(changed).not.toHaveProperty("split");

    await page.getByRole("checkbox", { name: "Select case 1" }).click({ force: true });
    await page.getByRole("button", { name: "Delete 1" }).click();
    await page.getByRole("button", { name: "Remove 1 case" }).click();
    await page.getByRole("heading", { name: "1 case", exact: true }).waitFor();
    expect((await client.listDatasets()).data[0]).toMatchObject({ name: "Small talk", version: 4, cases: 1 });
    await page.goto(`${page.url()}?version=2`);
    await page.getByRole("heading", { name: "2 cases" }).waitFor();
    expect(await page.getByRole("checkbox").count()).toBe(0);

    // From the page of a run, to the dataset that is there.
    const path = `/runs/agent/assistant/${failed.session_id}/${failed.run_id}`;
    await page.goto(page.url().replace(/\/evaluations\/.*/, path));
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Add to dataset" }).click();
    await page.getByRole("button", { name: /Dataset$/ }).click();
    await page.getByRole("option", { name: /Small talk/ }).click();
    await page.getByRole("radio", { name: "Nothing" }).click();
    await page.getByRole("button", { name: "Add 1 case" }).click();
    await page.getByText("1 case was added, as version 5.").waitFor();
    await closeConsole(opened);
  });

  test("everything of a filter becomes cases; what others said is redacted unless an admin says otherwise", async () => {
    const { client } = at.asUser("console-said", scopes);
    for (const who of ["ann@x.org", "bob@x.org"]) await ask(client, `parcel of ${who}`);
    const reader = at.asUser("console-reads-cases", [...scopes, "feedback:everybody"]);
    const opened = await at.open({ path: "/runs?q=parcel&user=console-said" });
    const { page } = opened;
    await page.getByRole("button", { name: "Add everything of this filter to a dataset" }).click();
    const form = page.getByRole("dialog", { name: "Add everything of this filter to a dataset" });
    await form.getByLabel("Name of the new dataset").fill("Parcels");
    await form.getByLabel("Runs at most").fill("1");
    expect(await form.getByRole("checkbox", { name: "Email addresses" }).isChecked()).toBe(true);
    await form.getByRole("button", { name: "Add the cases" }).click();
    await page.getByText("1 case was added, as version 2. The filter lets more runs through.").waitFor();
    await page.getByRole("link", { name: "Open the dataset" }).click();
    await page.getByText("parcel of <email_1>").first().waitFor();
    expect(await page.getByText("bob@x.org").count()).toBe(0);

    await page.goto(page.url().replace(/\/evaluations\/.*/, "/runs?q=parcel&user=console-said"));
    await page.getByRole("button", { name: "Add everything of this filter to a dataset" }).click();
    await form.getByLabel("Name of the new dataset").fill("Parcels as said");
    for (const name of ["Email addresses", "Phone numbers", "IBANs", "Card numbers", "IP addresses"])
      await form.getByRole("checkbox", { name }).click({ force: true });
    await form.getByText("What you leave in is written to the audit.").waitFor();
    await form.getByRole("button", { name: "Add the cases" }).click();
    await page.getByRole("link", { name: "Open the dataset" }).click();
    await page.getByText("parcel of ann@x.org").first().waitFor();

    // A case that outlives its session has something taken out of it.
    await page.goto(page.url().replace(/\/evaluations\/.*/, "/runs?q=parcel&user=console-said"));
    await page.getByRole("button", { name: "Add everything of this filter to a dataset" }).click();
    await form.getByLabel("Name of the new dataset").fill("Parcels for good");
    for (const name of ["Email addresses", "Phone numbers", "IBANs", "Card numbers", "IP addresses"])
      await form.getByRole("checkbox", { name }).click({ force: true });
    await form.getByText("Keep the cases when their sessions are deleted").click();
    await form.getByText("Cases that are kept need something to be taken out.").waitFor();
    const patterns = form.getByLabel("Patterns to take out (optional)");
    await patterns.fill("(");
    await form.getByText("“(” is no regular expression.").waitFor();
    await patterns.fill("\\w+@x\\.org");
    await isUsable(page);
    await form.getByRole("button", { name: "Add the cases" }).click();
    await page.getByRole("link", { name: "Open the dataset" }).click();
    await page.getByText("a run of agent assistant, which it outlives").first().waitFor();
    expect(await page.getByText("@x.org").count()).toBe(0);
    await closeConsole(opened);

    // Who is no admin cannot leave anything in.
    const { runs } = await ask(client, "parcel").then(({ run_id = "", session_id = "" }) => ({
      runs: [{ run_id, session_id }],
    }));
    const { id } = await reader.client.createDataset({ body: { name: "theirs" } });
    await expect(
      reader.client.addDatasetCases({
        path: { dataset_id: id },
        body: { runs, redact: { detect: ["email"] } },
      }),
    ).rejects.toMatchObject({ status: 403 });
  });

  test("who may not write evaluations is not offered it", async () => {
    const { token, client } = at.asUser("console-no-cases", ["agents:read", "agents:run", "evals:read"]);
    await ask(client, "one question");
    const opened = await at.open({ path: "/runs?q=question", token });
    const { page } = opened;
    await page.getByRole("checkbox", { name: "Select all that are shown" }).click({ force: true });
    await page.getByText("1 selected").waitFor();
    expect(await page.getByRole("button", { name: /dataset/ }).count()).toBe(0);
    await closeConsole(opened);
  });
});
