import { expect, test } from "vitest";
import { progressOf } from "../../shared/a2a/progress.ts";
import type { RecordedEvent } from "../../shared/schemas/runs/run-event.ts";

/** An event of a run, as far as its progress is read. */
const anEvent = (event: string, fields: object): RecordedEvent =>
  ({
    event,
    event_index: 0,
    run_id: "r-1",
    created_at: 1,
    nothing_of_ours: 1,
    ...fields,
  }) as unknown as RecordedEvent; // as far as it is read

test.each([
  ["ReasoningStarted", "reasoning_started", {}],
  ["TeamReasoningCompleted", "reasoning_completed", {}],
  ["MemoryUpdateStarted", "memory_update_started", {}],
  ["MemoryUpdateCompleted", "memory_update_completed", {}],
  ["StepStarted", "workflow_step_started", { step_name: "write" }],
  ["StepCompleted", "workflow_step_completed", { step_name: "write" }],
  ["StepError", "workflow_step_error", { step_name: "write", error: "no ink" }],
  ["LoopExecutionStarted", "loop_execution_started", { step_name: "again", max_iterations: 3 }],
  ["LoopExecutionCompleted", "loop_execution_completed", { step_name: "again", total_iterations: 2 }],
  ["LoopIterationStarted", "loop_iteration_started", { step_name: "again", iteration: 1, max_iterations: 3 }],
  [
    "LoopIterationCompleted",
    "loop_iteration_completed",
    { step_name: "again", iteration: 1, should_continue: false },
  ],
  ["ParallelExecutionStarted", "parallel_execution_started", { step_name: "both", parallel_step_count: 2 }],
  [
    "ParallelExecutionCompleted",
    "parallel_execution_completed",
    { step_name: "both", parallel_step_count: 2 },
  ],
  ["ConditionExecutionStarted", "condition_execution_started", { step_name: "if", condition_result: true }],
  [
    "ConditionExecutionCompleted",
    "condition_execution_completed",
    { step_name: "if", condition_result: true, executed_steps: 1 },
  ],
  ["RouterExecutionStarted", "router_execution_started", { step_name: "way", selected_steps: ["left"] }],
  [
    "RouterExecutionCompleted",
    "router_execution_completed",
    { step_name: "way", selected_steps: ["left"], executed_steps: 1 },
  ],
  ["StepsExecutionStarted", "steps_execution_started", { step_name: "all", steps_count: 2 }],
  [
    "StepsExecutionCompleted",
    "steps_execution_completed",
    { step_name: "all", steps_count: 2, executed_steps: 2 },
  ],
])("%s is sent as %s, with what belongs to it and nothing else", (event, type, fields) => {
  expect(progressOf(anEvent(event, fields))).toEqual({ agno_event_type: type, ...fields });
});

test("what is no progress is not sent as progress", () => {
  expect(progressOf(anEvent("RunStarted", {}))).toBeUndefined();
});
