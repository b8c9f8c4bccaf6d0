import type { RunEvent } from "../../shared/schemas/runs/run-event.ts";

/** A part of an answer. */
export const contentEvent = (content: string): RunEvent => ({
  event: "RunContent",
  content,
  content_type: "str",
  workflow_agent: false,
  reasoning_content: "",
  created_at: 1,
  agent_id: "a",
  agent_name: "A",
  run_id: "r",
  session_id: "s",
  nested_depth: 0,
});
