import type { RecordedEvent } from "../schemas/runs/run-event.ts";

/** Metadata key of the event type, as existing clients know it. */
export const EVENT_TYPE = "agno_event_type";
/** Metadata key of the kind of content that a message carries. */
export const CONTENT_CATEGORY = "agno_content_category";

type Fields = Readonly<Record<string, unknown>>;

/** Progress type and sent fields of an event, by event name. @source docs/interface/a2a.md 4.4 */
const progressTypes: Readonly<Record<string, readonly [type: string, ...fields: string[]]>> = {
  ReasoningStarted: ["reasoning_started"],
  ReasoningCompleted: ["reasoning_completed"],
  MemoryUpdateStarted: ["memory_update_started"],
  MemoryUpdateCompleted: ["memory_update_completed"],
  StepStarted: ["workflow_step_started", "step_name"],
  StepCompleted: ["workflow_step_completed", "step_name"],
  StepError: ["workflow_step_error", "step_name", "error"],
  LoopExecutionStarted: ["loop_execution_started", "step_name", "max_iterations"],
  LoopExecutionCompleted: ["loop_execution_completed", "step_name", "total_iterations"],
  LoopIterationStarted: ["loop_iteration_started", "step_name", "iteration", "max_iterations"],
  LoopIterationCompleted: ["loop_iteration_completed", "step_name", "iteration", "should_continue"],
  ParallelExecutionStarted: ["parallel_execution_started", "step_name", "parallel_step_count"],
  ParallelExecutionCompleted: ["parallel_execution_completed", "step_name", "parallel_step_count"],
  ConditionExecutionStarted: ["condition_execution_started", "step_name", "condition_result"],
  ConditionExecutionCompleted: [
    "condition_execution_completed",
    "step_name",
    "condition_result",
    "executed_steps",
  ],
  RouterExecutionStarted: ["router_execution_started", "step_name", "selected_steps"],
  RouterExecutionCompleted: ["router_execution_completed", "step_name", "selected_steps", "executed_steps"],
  StepsExecutionStarted: ["steps_execution_started", "step_name", "steps_count"],
  StepsExecutionCompleted: ["steps_execution_completed", "step_name", "steps_count", "executed_steps"],
};

const calls: Readonly<Record<string, string>> = {
  ToolCallStarted: "tool_call_started",
  // Also emitted for a failed call, after its failure.
  ToolCallCompleted: "tool_call_completed",
};

/** The progress in an event, as metadata of a status; undefined for an event without progress. */
export function progressOf(event: RecordedEvent): Record<string, unknown> | undefined {
  const name = event.event.replace(/^Team/, "");
  const call = calls[name];
  if (call !== undefined && "tool" in event) {
    const { tool_name, tool_call_id, tool_args } = event.tool;
    return { [EVENT_TYPE]: call, tool_name, tool_call_id, tool_args: JSON.stringify(tool_args) };
  }
  const [type, ...fields] = progressTypes[name] ?? [];
  if (type === undefined) return undefined;
  const values: Fields = { ...event };
  const present = fields.filter((field) => values[field] !== undefined && values[field] !== null);
  return { [EVENT_TYPE]: type, ...Object.fromEntries(present.map((field) => [field, values[field]])) };
}

/** The content deltas of a run in an event; empty for those of runs within it. */
export function contentIn(event: RecordedEvent, runId: string): { text: string; reasoning: string } {
  const isContent = event.event === "RunContent" || event.event === "TeamRunContent";
  if (!isContent || event.run_id !== runId) return { text: "", reasoning: "" };
  return { text: event.content, reasoning: event.reasoning_content };
}

const startEvents = new Set([
  ...["RunStarted", "RunContinued"].flatMap((name) => [name, `Team${name}`]),
  "WorkflowStarted",
]);

/** Whether the event is the start of a run, or of its continuation. */
export const isStart = ({ event, run_id }: RecordedEvent, runId: string): boolean =>
  run_id === runId && startEvents.has(event);
