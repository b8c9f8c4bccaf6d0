import type { AgentEventBase } from "../../schemas/run-event.ts";
import type { StoredRun } from "./run-item.ts";

/** The fields that every event of a run carries, for events that are told from outside its execution. */
export const eventBase = (
  { run_id, session_id, component_id, output }: StoredRun,
  now: number,
): AgentEventBase => ({
  created_at: now,
  agent_id: output.agent_id ?? component_id,
  agent_name: output.agent_name ?? component_id,
  run_id,
  session_id,
  nested_depth: 0,
});
