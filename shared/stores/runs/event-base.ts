import type { AgentEventBase, TeamEventBase, UnindexedEvent } from "../../schemas/runs/run-event.ts";
import type { WorkflowEventBase } from "../../schemas/runs/workflow-event.ts";
import type { StoredRun } from "./run-item.ts";

/** The run that an event is about. */
export type EventSource = Pick<StoredRun, "run_id" | "session_id" | "component_type" | "component_id"> & {
  /** The component's; its id if the name is not known any more. */
  readonly name: string;
};

export const eventSource = (run: StoredRun): EventSource => ({
  ...run,
  name: run.output.agent_name ?? run.output.team_name ?? run.output.workflow_name ?? run.component_id,
});

/** The terminal event of a cancelled run, from outside its execution. @param now epoch seconds */
export function cancelledEvent(run: EventSource, now: number, reason: string): UnindexedEvent {
  switch (run.component_type) {
    case "agent":
      return { ...agentBase(run, now), event: "RunCancelled", reason };
    case "team":
      return { ...teamBase(run, now), event: "TeamRunCancelled", reason };
    case "workflow":
      return { ...workflowBase(run, now), event: "WorkflowCancelled", reason, content: reason };
  }
}

/** The terminal event of a failed run, from outside its execution. @param now epoch seconds */
export function errorEvent(
  run: EventSource,
  now: number,
  error: string,
  error_type?: string,
): UnindexedEvent {
  const type = error_type === undefined ? {} : { error_type };
  switch (run.component_type) {
    case "agent":
      return { ...agentBase(run, now), event: "RunError", content: error, ...type };
    case "team":
      return { ...teamBase(run, now), event: "TeamRunError", content: error, ...type };
    case "workflow":
      return { ...workflowBase(run, now), event: "WorkflowError", error, ...type };
  }
}

/** A run has replaced values of its session's state that others have written since it read them. */
export function conflictEvent(run: EventSource, now: number, keys: readonly string[]): UnindexedEvent {
  const conflict = { keys: [...keys] };
  switch (run.component_type) {
    case "agent":
      return { ...agentBase(run, now), event: "SessionStateConflict", ...conflict };
    case "team":
      return { ...teamBase(run, now), event: "TeamSessionStateConflict", ...conflict };
    case "workflow":
      return { ...workflowBase(run, now), event: "WorkflowSessionStateConflict", ...conflict };
  }
}

/** The fields that every event of a run carries. */
const baseOf = ({ run_id, session_id }: EventSource, now: number) => ({
  created_at: now,
  run_id,
  session_id,
  nested_depth: 0,
});

const agentBase = (run: EventSource, now: number): AgentEventBase => ({
  ...baseOf(run, now),
  agent_id: run.component_id,
  agent_name: run.name,
});
const teamBase = (run: EventSource, now: number): TeamEventBase => ({
  ...baseOf(run, now),
  team_id: run.component_id,
  team_name: run.name,
});
const workflowBase = (run: EventSource, now: number): WorkflowEventBase => ({
  ...baseOf(run, now),
  workflow_id: run.component_id,
  workflow_name: run.name,
});

/** The events with which the stream of an agent, a team or a workflow ends. A cancelled run emits two of them. */
const terminalEventNames: ReadonlySet<string> = new Set([
  ...["RunCompleted", "RunPaused", "RunError", "RunCancelled"].flatMap((name) => [name, `Team${name}`]),
  "WorkflowCompleted",
  "WorkflowPaused",
  "WorkflowRunOutput",
  "WorkflowError",
  "WorkflowCancelled",
]);

type EmittedEvent = { readonly event: string; readonly run_id: string };

/** Whether an event is the end of this very run, not of one within it. */
export const isEndOf = (runId: string, { event, run_id }: EmittedEvent): boolean =>
  run_id === runId && terminalEventNames.has(event);

/** Whether an event says that this very run has failed. */
export const isFailureOf = (runId: string, { event, run_id }: EmittedEvent): boolean =>
  run_id === runId && (event === "WorkflowError" || event.endsWith("RunError"));

/** Whether an event says that this very run has replaced what others wrote; it is made when the end is written. */
export const isConflictOf = (runId: string, { event, run_id }: EmittedEvent): boolean =>
  run_id === runId && event.endsWith("SessionStateConflict");

const beginnings: ReadonlySet<string> = new Set(["RunStarted", "TeamRunStarted", "WorkflowStarted"]);

/** Whether an event is the beginning of this very run: events before it are void. */
export const isBeginningOf = (runId: string, { event, run_id }: EmittedEvent): boolean =>
  run_id === runId && beginnings.has(event);

/**
 * The events for a client that wants only content. Functions stream nothing, so a workflow's content is in its end.
 *
 * @source docs/interface/runs.md 3.3
 */
const contents: ReadonlySet<string> = new Set(["RunContent", "TeamRunContent", "WorkflowCompleted"]);
export const isContent = ({ event }: EmittedEvent): boolean => contents.has(event);
