import type { Page } from "playwright-core";
import type { Furnished } from "./furnish.ts";

export type View = {
  readonly name: string;
  /** Address below `/console`. */
  readonly path: (at: Furnished) => string;
  /** Text that is there once the view has its data. */
  readonly shows: string | RegExp;
  /** What a reader does to come from the address to the view. */
  readonly act?: (page: Page) => Promise<void>;
};

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

/** Every screen of the console, with data on it, in its states that look different. */
export const views: readonly View[] = [
  { name: "home", path: () => "/", shows: /approvals wait/ },
  { name: "runs", path: () => "/runs", shows: /Who lit the lighthouse/ },
  { name: "runs: none fits", path: () => "/runs?component=none", shows: "No run matches these filters" },
  {
    name: "runs: searched",
    path: () => "/runs?tool=add_numbers&sort=cost&from=1700000000",
    shows: /Looked through/,
  },
  {
    name: "runs: go to",
    path: () => "/runs",
    shows: /Who lit the lighthouse/,
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("option", { name: /Runs/ }).first().waitFor();
    },
  },
  {
    name: "runs: saved views",
    path: () => "/runs",
    shows: /Who lit the lighthouse/,
    act: press("Views"),
  },
  { name: "run", path: (at) => at.run, shows: "has been refunded" },
  { name: "run: model call", path: (at) => at.run, shows: "has been refunded", act: step(/scripted/) },
  { name: "run: tool call", path: (at) => at.run, shows: "has been refunded", act: step(/add_numbers/) },
  { name: "run: more", path: (at) => at.run, shows: "has been refunded", act: press("More") },
  {
    name: "run: correction",
    path: (at) => at.run,
    shows: /It takes five days/,
    act: press(/^Comment or correct$/),
  },
  { name: "run: JSON", path: (at) => `${at.run}?view=json`, shows: /messages/ },
  { name: "run: log", path: (at) => `${at.failedRun}?view=log`, shows: /a run failed/ },
  { name: "run: failed", path: (at) => at.failedRun, shows: /503 Service Unavailable/ },
  { name: "run: of a team", path: (at) => at.teamRun, shows: /This run waits for/ },
  { name: "run: of a workflow", path: (at) => at.workflowRun, shows: "Steps" },
  {
    name: "run: graph of a team",
    path: (at) => `${at.teamRun}?view=graph`,
    shows: /what this run did of it/,
    act: graphDrawn,
  },
  {
    name: "run: graph of a workflow",
    path: (at) => `${at.workflowRun}?view=graph`,
    shows: /what this run did of it/,
    act: graphDrawn,
  },
  { name: "run: confirmation", path: (at) => at.confirmation, shows: /This run waits for/ },
  { name: "run: questions", path: (at) => at.questions, shows: /This run waits for/ },
  { name: "run: not there", path: (at) => `${at.run}x`, shows: "Not found" },
  { name: "comparison of runs", path: (at) => at.comparison, shows: "The other run" },
  { name: "approvals", path: () => "/approvals", shows: /K-1141/ },
  { name: "approval", path: (at) => at.approval, shows: "Note (optional)" },
  { name: "queue", path: () => "/queue", shows: /Where is my parcel/ },
  { name: "job", path: (at) => at.job, shows: "1 of 1" },
  { name: "job: requeue", path: (at) => at.job, shows: "1 of 1", act: press(/^Requeue$/) },
  { name: "playground", path: () => "/playground", shows: "Refund desk" },
  { name: "playground: new", path: () => "/playground/agent/assistant", shows: "Talk to Assistant" },
  { name: "playground: conversation", path: (at) => at.playground, shows: "has been refunded" },
  {
    name: "playground: settings",
    path: (at) => at.playground,
    shows: "has been refunded",
    act: press("Settings"),
  },
  { name: "playground: form", path: () => "/playground/agent/order-intake", shows: "Customer" },
  {
    name: "playground: two",
    path: () => "/playground/compare?left=agent%2Fassistant&right=agent%2Flibrarian",
    shows: /Librarian/,
  },
  { name: "components", path: () => "/components", shows: "Complaints" },
  { name: "component", path: (at) => at.component, shows: /Live: version 2/ },
  {
    name: "component: versions",
    path: (at) => `${at.component}?tab=versions`,
    shows: "As the shop asked for",
  },
  { name: "component: changes", path: (at) => `${at.component}?tab=changes`, shows: /fields differ/ },
  { name: "component: editor", path: (at) => `${at.component}?form=new`, shows: "Store as a draft" },
  {
    name: "component: going live",
    path: (at) => `${at.component}?form=edit&base=3`,
    shows: "Go live…",
    act: async (page) => {
      await page.getByRole("button", { name: "Go live…" }).click();
      await page
        .getByText(/fields? differs?/)
        .first()
        .waitFor();
    },
  },
  { name: "component: of the code", path: (at) => at.declared, shows: /declared in the code/ },
  {
    name: "component: graph",
    path: () => "/components/publish-report?tab=graph",
    shows: "Publish report",
    act: graphDrawn,
  },
  { name: "component: new", path: () => "/components?form=new", shows: "Create and publish" },
  { name: "schedules", path: () => "/schedules", shows: "Morning report" },
  { name: "schedule", path: (at) => at.schedule, shows: /You said: Sum up the night/ },
  { name: "schedule: form", path: (at) => `${at.schedule}?form=edit`, shows: "Save the changes" },
  { name: "evaluations", path: () => "/evaluations", shows: "With the new tools" },
  { name: "evaluation", path: (at) => at.evaluation, shows: /Expected but not called/ },
  { name: "evaluation: performance", path: (at) => at.performance, shows: "95 % are below" },
  { name: "evaluation: form", path: () => "/evaluations?form=new", shows: "Start the evaluation" },
  { name: "datasets", path: () => "/evaluations/datasets", shows: "Questions of customers" },
  {
    name: "dataset: new",
    path: () => "/evaluations/datasets",
    shows: "Questions of customers",
    act: press("New dataset"),
  },
  { name: "dataset", path: (at) => at.dataset, shows: "On its way to you" },
  { name: "comparison of evaluations", path: (at) => at.evaluationComparison, shows: /Case/ },
  { name: "sessions", path: () => "/sessions", shows: /What time is it in Tokyo/ },
  { name: "session", path: (at) => at.session, shows: "has been refunded" },
  { name: "knowledge", path: () => "/knowledge", shows: "The lighthouse of Skerryvore" },
  { name: "knowledge: content", path: (at) => at.content, shows: "Save the changes" },
  { name: "knowledge: search", path: () => "/knowledge?view=search&q=lighthouse", shows: /lit in 1844/ },
  { name: "knowledge: add", path: () => "/knowledge", shows: "Breakfast", act: press("Add a text") },
  { name: "memories: people", path: () => "/memories", shows: "maria@example.com" },
  { name: "memories", path: () => "/memories?user=maria%40example.com", shows: /Sails in summer/ },
  {
    name: "memories: correct",
    path: () => "/memories?user=maria%40example.com",
    shows: /Sails in summer/,
    act: press(/^Correct/),
  },
  { name: "learnings", path: () => "/memories?view=learnings", shows: /Bern/ },
  { name: "metrics", path: () => "/metrics", shows: "Days" },
  { name: "access", path: () => "/access", shows: "nightly-reports" },
  { name: "access: mint", path: () => "/access", shows: "nightly-reports", act: press("Mint an account") },
  { name: "connect", path: (at) => at.connect, shows: /wants to act for you/ },
  { name: "audit", path: () => "/audit", shows: "The chain of today is intact." },
  {
    name: "audit: record",
    path: () => "/audit?operation=mintServiceAccount",
    shows: /mintServiceAccount/,
    act: (page) => page.locator("main a", { hasText: "mintServiceAccount" }).first().click(),
  },
  { name: "audit: none fits", path: () => "/audit?operation=none", shows: "No record matches these filters" },
  { name: "webhooks", path: () => "/webhooks", shows: "No endpoints" },
  {
    name: "webhooks: deliveries",
    path: () => "/webhooks?view=deliveries",
    shows: "Nothing has been sent yet",
  },
  { name: "system", path: () => "/system", shows: "Database main" },
  {
    name: "shortcuts",
    path: () => "/access",
    shows: "nightly-reports",
    act: (page) => page.keyboard.press("?"),
  },
  { name: "no such page", path: () => "/nowhere", shows: "There is nothing at this address" },
];

/** What lays a graph out is loaded with the first one. */
function graphDrawn(page: Page) {
  return page.locator(".graph-node").first().waitFor();
}

/** Chooses a step of the run's waterfall. */
function step(name: RegExp) {
  return (page: Page) => page.locator(".span-row", { hasText: name }).first().click();
}
