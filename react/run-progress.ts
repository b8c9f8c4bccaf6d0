import type { Client, ComponentAddress, RunAddress } from "../client/index.ts";

/** An event of a run, as the client streams it. */
export type RunFrame = {
  readonly event: string;
  readonly data: { readonly [name: string]: unknown };
};

export type RunStatus = "RUNNING" | "PAUSED" | "COMPLETED" | "CANCELLED" | "ERROR";

/** How far a run has come, by its events. */
export type RunProgress = {
  readonly run: (RunAddress & { readonly status: RunStatus }) | undefined;
  /** What the component itself has said. */
  readonly text: string;
  /** Why it failed. */
  readonly failure?: string | undefined;
};

export const notBegun: RunProgress = { run: undefined, text: "" };

const ends: Readonly<Record<string, RunStatus>> = {
  Completed: "COMPLETED",
  Paused: "PAUSED",
  Cancelled: "CANCELLED",
  Error: "ERROR",
};

/** What an event changes. Of runs within the run nothing is taken. */
export function progressed(
  before: RunProgress,
  component: ComponentAddress,
  { event, data }: RunFrame,
): RunProgress {
  const { run_id, session_id, content } = data;
  if (typeof run_id !== "string" || typeof session_id !== "string") return before;
  if (before.run ? before.run.run_id !== run_id : data.parent_run_id !== undefined) return before;
  const run = before.run ?? { ...component, run_id, session_id, status: "RUNNING" as const };
  const [, end] = /^(?:(?:Team)?Run|Workflow)(Started|Completed|Paused|Cancelled|Error)$/.exec(event) ?? [];
  // An attempt that starts over says everything again.
  if (end === "Started") return { run: { ...run, status: "RUNNING" }, text: "" };
  if (/^(Team)?RunContent$/.test(event)) return { ...before, run, text: before.text + String(content ?? "") };
  const status = ends[end ?? ""];
  // A cancelled run has a completion behind its cancellation.
  if (status === undefined || before.run?.status === "CANCELLED") return { ...before, run };
  const isAnswer = status === "COMPLETED" && before.text === "" && content !== undefined;
  const text = isAnswer ? (typeof content === "string" ? content : JSON.stringify(content)) : before.text;
  const failure = status === "ERROR" ? String(content ?? data.error ?? "The run failed.") : undefined;
  return { run: { ...run, status }, text, ...(failure !== undefined && { failure }) };
}

/** Cancels a run of whichever kind. */
export function cancelRun(client: Client, run: RunAddress): Promise<unknown> {
  const { run_id, session_id } = run;
  const query = { session_id };
  if ("agent_id" in run) return client.cancelAgentRun({ path: { agent_id: run.agent_id, run_id }, query });
  if ("team_id" in run) return client.cancelTeamRun({ path: { team_id: run.team_id, run_id }, query });
  return client.cancelWorkflowRun({ path: { workflow_id: run.workflow_id, run_id }, query });
}

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
