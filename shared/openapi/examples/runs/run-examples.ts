import type { runRoutes } from "../../../routes/runs.ts";
import type { Checkpoint } from "../../../schemas/runs/checkpoint.ts";
import type { ListedRun } from "../../../schemas/runs/run-list.ts";
import { resolveExamples } from "../approvals.ts";
import type { ExamplesOf } from "../example.ts";
import { pathExamples } from "../path-examples.ts";
import {
  acceptedRun,
  agentRow,
  agentRunResumed,
  agentRunStream,
  completedRun,
  created_at,
} from "./agent-run.ts";
import { protocolExamples } from "./protocol-examples.ts";
import { teamRow, teamRun, teamRunStream } from "./team-run.ts";
import { workflowRow, workflowRun, workflowRunStream } from "./workflow-run.ts";

const { run_id, session_id } = pathExamples;
const query = { session_id };
const forked = {
  session_id: "2b1c0d9e-8f7a-4b6c-9d5e-4f3a2b1c0d9e",
  forked_from_session_id: session_id,
};
const checkpoint: Checkpoint = {
  checkpoint_id: "2",
  run_id,
  session_id,
  message_index: 2,
  continue_from: 2,
  status: "COMPLETED",
  reason: "end",
  created_at,
  message_id: "m-2",
  message_role: "assistant",
  message_preview: "It is 10:15 in Oslo.",
  is_latest: true,
};

/** Requests and answers for the runs of one kind of component. */
const examplesOf = <Output, Row>(
  output: Output,
  row: Row,
  message: string,
  stream: string,
  resumed: string,
) => ({
  create: {
    body: { message, stream: false },
    answer: output,
    further: { 202: acceptedRun },
    stream,
  },
  resume: { body: { last_event_index: 1, session_id }, stream: resumed },
  cancel: { query, answer: {} },
  get: { query, answer: output },
  list: { query, answer: [row] },
});

const conversation = {
  listCheckpoints: { query, answer: { run_id, session_id, checkpoints: [checkpoint] } },
  getCheckpoint: { query, answer: { checkpoint, snapshot: completedRun } },
  forkSession: { answer: forked },
};

/** A paused run with the answers that it waited for. */
const continued = <Output>(output: Output, answers: Readonly<Record<string, string>>, stream: string) => ({
  body: { session_id, stream: false, ...answers },
  answer: output,
  further: { 202: acceptedRun },
  stream,
});

const agents = examplesOf(
  completedRun,
  agentRow,
  "What time is it in Oslo?",
  agentRunStream,
  agentRunResumed,
);
const teams = examplesOf(teamRun, teamRow, "What time is it in Oslo?", teamRunStream, teamRunStream);
const workflows = examplesOf(
  workflowRun,
  workflowRow,
  "The week in numbers",
  workflowRunStream,
  workflowRunStream,
);

const listed: ListedRun = {
  run_id,
  session_id,
  session_name: "Order 4711",
  component_type: "agent",
  component_id: "assistant",
  user_id: "maria",
  status: "ERROR",
  created_at: "2026-03-04T09:15:00Z",
  updated_at: "2026-03-04T09:15:02Z",
  duration: 1.8,
  input_tokens: 12,
  total_tokens: 12,
  model: "scripted",
  input_preview: "Where is my order?",
  error: "The model provider did not answer.",
  attempt: 1,
  queued: true,
};

export const runExamples: ExamplesOf<typeof runRoutes> = {
  listRuns: {
    query: { component_type: "agent", status: ["ERROR"], created_after: 1772600000 },
    answer: { data: [listed], meta: { next_cursor: null, limit: 20 } },
  },
  createAgentRun: agents.create,
  continueAgentRun: continued(
    completedRun,
    { tools: JSON.stringify([{ tool_call_id: "call-1", confirmed: true }]) },
    agentRunStream,
  ),
  resumeAgentRun: agents.resume,
  listAgentCheckpoints: conversation.listCheckpoints,
  getAgentCheckpoint: conversation.getCheckpoint,
  forkAgentSession: conversation.forkSession,
  compactAgentSession: {
    answer: {
      status: "compacted",
      compacted: true,
      message: "Compacted 18 messages (15864 -> 981 tokens).",
      record: {
        summary: "Maria asked about order 4711; it was sent on 3 March.",
        through_run_id: run_id,
        messages_compacted: 18,
        tokens_before: 15864,
        tokens_after: 981,
        created_at,
      },
    },
  },
  cancelAgentRun: agents.cancel,
  getAgentRun: agents.get,
  listAgentRuns: agents.list,
  createTeamRun: teams.create,
  continueTeamRun: continued(
    teamRun,
    { requirements: JSON.stringify([{ id: "requirement-1", confirmation: true }]) },
    teamRunStream,
  ),
  resumeTeamRun: teams.resume,
  listTeamCheckpoints: conversation.listCheckpoints,
  getTeamCheckpoint: conversation.getCheckpoint,
  forkTeamSession: conversation.forkSession,
  cancelTeamRun: teams.cancel,
  getTeamRun: teams.get,
  listTeamRuns: teams.list,
  createWorkflowRun: workflows.create,
  continueWorkflowRun: continued(
    workflowRun,
    { step_requirements: JSON.stringify([{ step_id: "publish", confirmed: true }]) },
    workflowRunStream,
  ),
  resumeWorkflowRun: workflows.resume,
  cancelWorkflowRun: workflows.cancel,
  getWorkflowRun: workflows.get,
  listWorkflowRuns: workflows.list,
  ...resolveExamples,
  ...protocolExamples,
};
