import type { Furnished } from "../../test/console/support/furnish.ts";
import type { Operator } from "./operator.ts";

export type Task = {
  readonly number: number;
  readonly task: string;
  /** From Home to what the task asks for. @throws where it is not possible */
  readonly act: (operator: Operator, at: Furnished) => Promise<void>;
};

/** All screens begin at Home; a run that is only needed to begin with is gone to by what is known of it. */
export const tasks: readonly Task[] = [
  {
    number: 1,
    task: "a customer says that an answer of 14:03 was wrong: find the run, see why",
    act: async (o) => {
      await o.go("Runs");
      await o.type(o.page.getByRole("combobox", { name: "User" }), "jonas", "User");
      await o.option("jonas@example.com");
      await o.link(/Where is my parcel/);
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
    },
  },
  {
    number: 3,
    task: "which tool is slowest this week",
    act: async (o) => {
      await o.go("Metrics");
      await o.segment("Tool");
      await o.button("p95");
      await o.page
        .getByRole("row", { name: /add_numbers/ })
        .first()
        .waitFor();
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
    },
  },
  {
    number: 5,
    task: "who approved this refund, when, with which note",
    act: async (o) => {
      await o.go("Approvals");
      await o.segment("Approved");
      await o.link(/issue_refund|close_account/);
      await o.sees(/Photo seen/);
    },
  },
  {
    number: 6,
    task: "run this again with changed words, and compare",
    act: async (o) => {
      await o.go("Runs");
      await o.link(/Who lit the lighthouse/);
      await o.button("Open in the playground");
      await o.type(o.page.getByRole("textbox", { name: "Message" }), "Who built it?", "Message");
      await o.page.keyboard.press("Enter");
      await o.link("Details");
      await o.button("More");
      await o.item(/Compare/);
      await o.click(o.page.getByRole("dialog").getByRole("button", { name: /Who lit/ }), "the first");
      await o.sees("The other run");
    },
  },
  {
    number: 7,
    task: "why does the queue wait",
    act: async (o) => {
      await o.go("Queue");
      await o.link(/Paused|paused/);
      await o.link(/Please close it/);
      await o.sees(/waits|Waits/);
    },
  },
  {
    number: 8,
    task: "share a link to a step of a run",
    act: async (o) => {
      await o.go("Runs");
      await o.link(/What do October/);
      await o.click(o.page.locator(".span-row", { hasText: "add_numbers" }), "the step");
      await o.button("Copy the address of this step");
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
      await o.sees(/cases were added/);
    },
  },
  {
    number: 10,
    task: "see why a delivery failed, send it again",
    act: async (o) => {
      await o.link(/deliver(y|ies) failed/);
      await o.link(/ping/);
      await o.button("Redeliver");
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
      await o.page.locator("[data-secret]").waitFor();
    },
  },
  {
    number: 11,
    task: "cost by user, agent and model this week",
    act: async (o) => {
      await o.go("Metrics");
      await o.segment("User or key");
      await o.page
        .getByRole("row", { name: /jonas@example.com/ })
        .first()
        .waitFor();
    },
  },
  {
    number: 12,
    task: "watch runs live",
    act: async (o) => {
      await o.go("Runs");
      await o.page.getByRole("link", { name: /A-4471/ }).waitFor();
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
      await o.click(o.page.locator(".page-back"), "Runs");
      await o.button("More filters");
      await o.button(/Feedback$/);
      await o.option("Called bad");
      await o.page.getByRole("link", { name: /A-4471/ }).waitFor();
    },
  },
  {
    number: 15,
    task: "edit a prompt and try it beside the live version",
    act: async (o) => {
      await o.go("Components");
      await o.link(/Complaints/);
      await o.button("New version");
      await o.type(o.page.getByLabel("Instructions"), "Answer in one sentence.", "Instructions");
      await o.type(o.page.getByLabel("Message to both"), "My cup is broken.", "Message");
      await o.button("Send");
      await o.page
        .getByRole("region", { name: "Draft", exact: true })
        .getByRole("link", { name: "Details" })
        .waitFor();
    },
  },
  {
    number: 16,
    task: "what changed lately: versions, who, when",
    act: async (o) => {
      await o.sees(/Complaints|complaints/);
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
      await o.sees(/Completed|Running/);
    },
  },
  {
    number: 18,
    task: "requeue all failed jobs with “503”",
    act: async (o) => {
      await o.go("Queue");
      await o.link(/^Failed/);
      await o.type(o.page.getByLabel("Error contains"), "503", "Error contains");
      await o.page.waitForURL(/error=503/);
      await o.button("Requeue all");
      await o.button(/^Requeue \d+ jobs?$/);
    },
  },
  {
    number: 19,
    task: "which schedules failed, and why; run one again",
    act: async (o) => {
      await o.go("Schedules");
      await o.link(/Broken report/);
      await o.sees(/it is closed at night/);
      await o.button("Run now");
    },
  },
  {
    number: 20,
    task: "error rate and p95 of agent X",
    act: async (o) => {
      await o.go("Metrics");
      await o.page
        .getByRole("region", { name: "Duration, failures and cost" })
        .getByRole("row", { name: /^assistant/ })
        .first()
        .waitFor();
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
    },
  },
  {
    number: 22,
    task: "delete everything about user U",
    act: async (o) => {
      await o.go("Sessions");
      await o.type(o.page.getByRole("searchbox", { name: /User/ }), "maria@example.com", "User");
      await o.page.waitForURL(/maria/);
      await o.check("Select all that are shown");
      await o.button(/^Delete \d+/);
      await o.click(o.page.getByRole("dialog").getByRole("button", { name: /^Delete/ }), "Delete");
      await o.go("Memories");
      await o.link(/maria@example.com/);
      await o.check(/^Select Sails/);
      await o.check(/^Select Pays/);
      await o.button(/^Delete \d+/);
      await o.click(o.page.getByRole("dialog").getByRole("button", { name: /^Delete/ }), "Delete");
      await o.link(/Learnings/);
      await o.button(/^Delete/);
      await o.click(o.page.getByRole("dialog").getByRole("button", { name: /^Delete/ }), "Delete");
    },
  },
  {
    number: 23,
    task: "what the model really saw in a failing call",
    act: async (o) => {
      await o.link(/failed/i);
      await o.link(/Where is my parcel/);
      await o.sees(/Prompt, as the model saw it|What was new in the prompt/);
    },
  },
  {
    number: 24,
    task: "which branch a workflow took, and what each step said",
    act: async (o) => {
      await o.go("Runs");
      await o.link(/lighthouse at Skerryvore/);
      await o.tab("Graph");
      await o.page.locator(".graph-plane").first().waitFor();
    },
  },
  {
    number: 25,
    task: "compare two evaluations; the cases that got worse",
    act: async (o) => {
      await o.go("Evaluations");
      await o.link(/With the new tools/);
      await o.button("Compare");
      await o.sees(/Before the new tools/);
      await o.sees(/better|worse/);
    },
  },
];
