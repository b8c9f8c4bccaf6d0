import * as v from "valibot";

const text = v.string();

/** Fields of every event of an agent's or a team's run. */
const runBase = {
  /** Epoch seconds. */
  created_at: v.number(),
  run_id: text,
  session_id: text,
  parent_run_id: v.exactOptional(text),
  workflow_id: v.exactOptional(text),
  workflow_run_id: v.exactOptional(text),
  step_id: v.exactOptional(text),
  step_name: v.exactOptional(text),
  step_index: v.exactOptional(v.number()),
  nested_depth: v.number(),
  /** 0-based, rising by one over the life of the run that is followed. */
  event_index: v.exactOptional(v.number()),
};

export const agentBase = { ...runBase, agent_id: text, agent_name: text };
export const teamBase = { ...runBase, team_id: text, team_name: text };

export const workflowBase = {
  created_at: v.number(),
  workflow_id: text,
  workflow_name: text,
  run_id: text,
  session_id: text,
  step_id: v.exactOptional(text),
  parent_step_id: v.exactOptional(text),
  nested_depth: v.number(),
  event_index: v.exactOptional(v.number()),
};
