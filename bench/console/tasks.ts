import type { Furnished } from "../../test/console/support/furnish.ts";
import type { furnishTasks } from "./furnish-tasks.ts";
import type { Operator } from "./operator.ts";

export type FurnishedTasks = Furnished & Awaited<ReturnType<typeof furnishTasks>>;

export type Task = {
  readonly number: number;
  readonly task: string;
  /** From Home to what the task asks for. @throws where it is not possible */
  readonly act: (operator: Operator, at: FurnishedTasks) => Promise<void>;
};

/** All screens begin at Home; a run that is only needed to begin with is gone to by what is known of it. */
export const tasks: readonly Task[] = [
  {
    number: 1,
    task: "a customer says that an answer of 14:03 was wrong: find the run, see why",
    act: async (o) => {
      await o.button(/^Go to/);
      await o.typeHere(o.page.getByRole("combobox", { name: /^Screen, component/ }), "jonas", "Go to");
      await o.option(/^jonas@example.com/);
      await o.link(/Where is my parcel/);
      await o.sees(/by jonas@example.com/);
      await o.sees(/503 Service Unavailable/);
    },
  },
  {
    number: 2,
    task: "find the run about “order A-4471”",
    act: async (o) => {
      await o.go("Runs");
      await o.type(o.page.getByLabel("Search"), '"order A-4471"', "Search");
      await o.link(/A-4471/);
      await o.page.getByRole("heading", { name: /A-4471/, level: 1 }).waitFor();
      await o.sees(/You said: Where is order A-4471/);
    },
  },
  {
    number: 3,
    task: "which tool is slowest this week",
    act: async (o) => {
      await o.go("Metrics");
      await o.segment("Tool");
      await o.button("p95");
      const slowest = figures(o).locator("tbody tr:first-child");
      await o.sees("count_stock", slowest);
      await o.sees(/^1\.\d s$/, slowest);
    },
  },
  {
    number: 4,
    task: "stop everything that agent X does now",
    act: async (o) => {
      await o.go("Runs");
      await o.type(o.page.getByRole("combobox", { name: "Component" }), "Libra", "Component");
      await o.option(/Librarian/);
      await o.button(/^Stop everything of/);
      await o.button(/^Cancel \d+ runs?$/);
      await o.row(/sleep/, /Cancelled/);
      await o.page
        .getByRole("row")
        .filter({ hasText: /sleep/ })
        .filter({ hasText: /Running|Waiting/ })
        .first()
        .waitFor({ state: "hidden" });
    },
  },
  {
    number: 5,
    task: "who approved this refund, when, with which note",
    act: async (o) => {
      await o.go("Approvals");
      await o.segment("Approved");
      await o.link(/issue_refund|close_account/);
      await o.sees(/^Approved by admin .*(ago|now)/);
      await o.sees(/Photo seen/);
    },
  },
  {
    number: 6,
    task: "run this again with changed words, and compare",
    act: async (o) => {
      await o.go("Runs");
      await o.link(/A-4471/);
      await o.link("Run again");
      await o.typeHere(
        o.page.getByRole("textbox", { name: /^Message to/ }),
        "Where is order A-4472?",
        "Message",
      );
      await o.page.keyboard.press("Enter");
      await o.link("Compare with the run before");
      await o.sees(/You said: Where is order A-4472/, part(o, "This run"));
      await o.sees(/You said: Where is order A-4471/, part(o, "The other run"));
    },
  },
  {
    number: 7,
    task: "why does the queue wait",
    act: async (o) => {
      await o.go("Queue");
      await o.link(/Paused|paused/);
      await o.link(/Please close it/);
      await o.sees(/^For a person: its run has paused/);
    },
  },
  {
    number: 8,
    task: "share a link to a step of a run",
    act: async (o) => {
      await o.go("Runs");
      await o.link(/How many lamps/);
      await o.click(o.page.locator(".span-row", { hasText: "count_stock" }), "the step");
      await o.button("Copy the address of this step");
      const address = await o.page.evaluate<string>("navigator.clipboard.readText()");
      await o.page.goto(address);
      await o.page.locator(".span-row[aria-selected=true]", { hasText: "count_stock" }).waitFor();
    },
  },
  {
    number: 9,
    task: "add these runs to a dataset",
    act: async (o) => {
      await o.go("Runs");
      await o.check("Select all that are shown");
      await o.button("Add to dataset");
      await o.type(o.page.getByLabel("Name of the new dataset"), "From October", "Name");
      await o.button(/^Add \d+ cases$/);
      await o.sees(/\d+ cases were added/);
    },
  },
  {
    number: 10,
    task: "see why a delivery failed, send it again",
    act: async (o) => {
      await o.link(/deliver(y|ies) failed/);
      await o.link(/ping/);
      await o.sees(/410/);
      await o.button("Redeliver");
      await o.page.getByText("The message is sent once more.").waitFor();
    },
  },
  {
    number: 10.5,
    task: "rotate the secret of a webhook",
    act: async (o) => {
      await o.go("Webhooks");
      await o.button(/^Actions for/);
      await o.item("Rotate the secret");
      await o.button("Rotate the secret");
      await o.sees(/whsec_\w+/);
    },
  },
  {
    number: 11,
    task: "cost by user, agent and model this week",
    act: async (o) => {
      await o.go("Metrics");
      await o.sees(COST, figureRow(o, /^assistant \(agent\)/));
      await o.segment("Model");
      await o.sees(COST, figureRow(o, /^scripted/));
      await o.segment("User or key");
      await o.sees(COST, figureRow(o, /^jonas@example.com/));
    },
  },
  {
    number: 12,
    task: "watch runs live",
    act: async (o, { startRun }) => {
      await o.go("Runs");
      await o.row(/A-4471/);
      await startRun("Is it live? [[sleep:15000]]");
      await o.button(/new/);
      await o.row(/Is it live/, /Running/);
      await o.row(/Is it live/, /Completed/);
    },
  },
  {
    number: 13,
    task: "all runs that used tool Y",
    act: async (o) => {
      await o.go("Runs");
      await o.button("More filters");
      await o.type(o.page.getByRole("searchbox", { name: "Tool" }), "add_numbers", "Tool");
      await o.page.getByText(/Looked through/).waitFor();
      await o.row(/October and November/);
      await o.page
        .getByRole("row")
        .filter({ hasText: /A-4471/ })
        .first()
        .waitFor({ state: "hidden" });
    },
  },
  {
    number: 14,
    task: "judge a run, and find those judged bad",
    act: async (o) => {
      await o.go("Runs");
      await o.link(/A-4471/);
      await o.click(
        o.page.getByRole("region", { name: "Feedback" }).getByRole("button", { name: "Bad" }),
        "Bad",
      );
      await o.link("All runs called bad");
      await o.row(/A-4471/);
      await o.row(/October and November/);
      await o.page
        .getByRole("row")
        .filter({ hasText: /Skerryvore/ })
        .first()
        .waitFor({ state: "hidden" });
    },
  },
  {
    number: 15,
    task: "edit a prompt and try it beside the live version",
    act: async (o) => {
      await o.go("Components");
      await o.link(/Complaints/);
      await o.button("New version");
      await o.typeHere(o.page.getByLabel("Instructions"), "Answer in one sentence.", "Instructions");
      await o.type(o.page.getByLabel("Message to both"), "My cup is broken.", "Message");
      await o.page.keyboard.press("Enter");
      for (const side of ["Live", "Draft"])
        await o.sees(/You said: My cup is broken/, o.page.getByRole("region", { name: side, exact: true }));
    },
  },
  {
    number: 16,
    task: "what changed lately: versions, who, when",
    act: async (o) => {
      const glance = o.page.getByRole("region", { name: "At a glance" });
      await o.sees(/^What changed/, glance);
      await o.sees(/Complaints.*version 2 is live/, glance);
      await o.link("Who changed what");
      await o.type(o.page.getByRole("searchbox", { name: "Target" }), "complaints", "Target");
      await o.row(/createConfigVersion/, /complaints/, /admin/);
    },
  },
  {
    number: 17,
    task: "approve with a note, and follow the run",
    act: async (o) => {
      await o.go("Approvals");
      await o.link(/K-1141/);
      await o.type(o.page.getByLabel("Note (optional)"), "checked", "Note");
      await o.button("Approve");
      await o.sees(/^Approved by admin/);
      await o.sees("checked");
      await o.sees(/Completed/);
    },
  },
  {
    number: 18,
    task: "requeue all failed jobs with “503”",
    act: async (o) => {
      await o.link(/jobs? failed for good/);
      await o.type(o.page.getByLabel("Error contains"), "503", "Error contains");
      await o.page.waitForURL(/error=503/);
      await o.button("Requeue all");
      await o.button(/^Requeue \d+ jobs?$/);
      await o.page
        .getByText(/^\d+ jobs? .*queue/)
        .first()
        .waitFor();
    },
  },
  {
    number: 19,
    task: "which schedules failed, and why; run one again",
    act: async (o) => {
      await o.go("Schedules");
      await o.link(/Broken report/);
      await o.sees(/it is closed at night/);
      const attempts = o.page.locator("tbody tr", { hasText: /it is closed at night/ });
      await o.button("Run now");
      await attempts.nth(1).waitFor();
    },
  },
  {
    number: 20,
    task: "error rate and p95 of agent X",
    act: async (o) => {
      await o.go("Metrics");
      const row = figureRow(o, /^assistant \(agent\)/);
      await o.sees(/^\d+ \(\d+\.\d %\)$/, row.getByRole("cell").nth(await columnOf(o, "Failed")));
      await o.sees(/^\d+(\.\d+)? m?s$/, row.getByRole("cell").nth(await columnOf(o, "p95")));
    },
  },
  {
    number: 21,
    task: "a service account for CI with agents:run alone, copy the token",
    act: async (o) => {
      await o.go("Access");
      await o.button("Mint an account");
      await o.type(o.page.getByLabel("Name"), "ci", "Name");
      await o.button("Mint the account");
      await o.click(o.page.getByRole("dialog").getByRole("button", { name: /Copy/ }), "Copy");
      const token = await o.page.evaluate<string>("navigator.clipboard.readText()");
      if (!token.startsWith("plat_pat_")) throw new Error("no token was copied");
      await o.row(/^ci/, /agents:run/);
    },
  },
  {
    number: 22,
    task: "delete everything about user U",
    act: async (o) => {
      await o.go("Sessions");
      await o.type(o.page.getByRole("searchbox", { name: /User/ }), "maria@example.com", "User");
      await o.page.waitForURL(/maria/);
      await o.button("Delete everything of maria@example.com");
      const dialog = o.page.getByRole("dialog");
      await o.typeHere(dialog.getByLabel(/^Type/), "maria@example.com", "Name");
      await o.click(dialog.getByRole("button", { name: /^Delete everything/ }), "Delete everything");
      await o.sees(/Deleted so far: \d+ sessions, 2 memories, 1 learning/, dialog);
    },
  },
  {
    number: 23,
    task: "what the model really saw in a failing call",
    act: async (o) => {
      await o.link(/failed/i);
      await o.link(/Where is my parcel/);
      await o.sees(/Prompt, as the model saw it|What was new in the prompt/);
      await o.sees("Prefer tools.");
      await o.sees(/503 Service Unavailable/);
    },
  },
  {
    number: 24,
    task: "which branch a workflow took, and what each step said",
    act: async (o) => {
      await o.go("Runs");
      await o.type(o.page.getByLabel("Search"), "Skerryvore 1844", "Search");
      await o.link(/history of the lighthouse/);
      await o.sees(
        /You said: The history of the lighthouse/,
        o.page.locator(".thread", { hasText: "research" }),
      );
      await o.tab("Graph");
      const node = (name: string) => o.page.locator(".graph-node", { hasText: name });
      await node("shorten").getByLabel("Done").waitFor();
      await node("keep").getByLabel("Skipped").waitFor();
    },
  },
  {
    number: 25,
    task: "compare two evaluations; the cases that got worse",
    act: async (o) => {
      await o.go("Evaluations");
      await o.link(/As it is now/);
      await o.button("Compare");
      await o.sees(/As it was/);
      await o.sees(/1 worse/);
      await o.sees("Worse than the other", o.page.locator("section", { hasText: "greets" }));
    },
  },
];

const COST = /^\$\d/;

/** The table of what metrics are broken down by. */
const figures = ({ page }: Operator) => page.getByRole("region", { name: "Duration, failures and cost" });
const figureRow = (o: Operator, name: RegExp) => figures(o).getByRole("row", { name });

/** The place of a column among those of that table. */
async function columnOf(o: Operator, title: string): Promise<number> {
  await figures(o).getByRole("columnheader").first().waitFor();
  return (await figures(o).getByRole("columnheader").allInnerTexts()).findIndex((text) =>
    text.startsWith(title),
  );
}

/** A card by its title. */
const part = ({ page }: Operator, title: string) =>
  page.locator("section.card", { has: page.getByRole("heading", { name: title, exact: true }) });
