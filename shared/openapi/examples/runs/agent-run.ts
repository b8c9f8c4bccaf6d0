import type { Message, RunOutput } from "../../../schemas/runs/run.ts";
import type { AgentRunRow } from "../../../schemas/runs/run-row.ts";
import { frames } from "../frames.ts";
import { pathExamples } from "../path-examples.ts";

const { run_id, session_id } = pathExamples;
export const created_at = 1772615700;

const message = { from_history: false, stop_after_tool_call: false, created_at };
const userMessage: Message = { ...message, id: "m-1", role: "user", content: "What time is it in Oslo?" };
const answered: Message = { ...message, id: "m-2", role: "assistant", content: "It is 10:15 in Oslo." };

/** A completed run, as clients get it by waiting and polling. */
export const completedRun = {
  run_id,
  session_id,
  user_id: "maria",
  agent_id: "assistant",
  agent_name: "Assistant",
  input: { input_content: "What time is it in Oslo?" },
  content: "It is 10:15 in Oslo.",
  content_type: "str",
  model: "demo",
  model_provider: "scripted",
  messages: [userMessage, answered],
  metrics: { input_tokens: 12, output_tokens: 7, total_tokens: 19, duration: 0.8 },
  created_at,
  status: "COMPLETED",
} satisfies RunOutput;

/** What lists show of every run. */
export const listed = {
  reasoning_content: "",
  reasoning_steps: [] as [],
  created_at: "2026-03-04T09:15:00Z",
  references: [] as [],
  images: [],
  videos: [],
  audio: [],
  files: [],
};

/** What lists show of an agent's or a team's run. */
export const conversationRow = {
  ...listed,
  run_id,
  parent_run_id: "",
  status: "COMPLETED" as const,
  run_input: "What time is it in Oslo?",
  content: "It is 10:15 in Oslo.",
  run_response_format: "text" as const,
  messages: completedRun.messages,
  metrics: completedRun.metrics,
  input_media: { images: [], videos: [], audios: [], files: [] },
};

/** A completed run in a list. */
export const agentRow: AgentRunRow = { ...conversationRow, agent_id: "assistant", user_id: "maria" };

/** The answer to a run that is executed in the background. */
export const acceptedRun = { run_id, session_id, status: "PENDING" as const };

const base = {
  created_at,
  run_id,
  session_id,
  agent_id: "assistant",
  agent_name: "Assistant",
  nested_depth: 0,
};
const started = { event: "RunStarted", ...base, event_index: 0, model: "demo", model_provider: "scripted" };
const contentEvent = {
  event: "RunContent",
  ...base,
  event_index: 1,
  content: "It is 10:15 in Oslo.",
  content_type: "str",
  workflow_agent: false,
  reasoning_content: "",
};
const completed = {
  event: "RunCompleted",
  ...base,
  event_index: 2,
  content: "It is 10:15 in Oslo.",
  content_type: "str",
};

export const agentRunStream = frames(started, contentEvent, completed);
export const agentRunResumed = frames(
  {
    event: "replay",
    ...{ run_id, status: "COMPLETED", total_events: 3, last_event_index_requested: 1 },
    message: "The run is COMPLETED; 1 of its events follow.",
  },
  completed,
);
