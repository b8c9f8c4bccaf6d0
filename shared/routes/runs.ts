import * as v from "valibot";
import { JudgedAsText } from "../schemas/feedback/judged-as.ts";
import { CancelledRuns, CancelRunsBody } from "../schemas/runs/cancel-runs.ts";
import { Checkpoint } from "../schemas/runs/checkpoint.ts";
import { idempotencyKey } from "../schemas/runs/idempotency-key.ts";
import { AcceptedRun, RunOutput, runStatuses } from "../schemas/runs/run.ts";
import { ContinueRunForm, CreateRunForm, ResumeRunForm } from "../schemas/runs/run-forms.ts";
import { ListedRuns } from "../schemas/runs/run-list.ts";
import {
  MAX_MESSAGE_ID_CHARS,
  RunMessageForm,
  RunMessages,
  SentMessage,
} from "../schemas/runs/run-message.ts";
import { AgentRunRow, TeamRunRow, WorkflowRunRow } from "../schemas/runs/run-row.ts";
import { RunVerdictText } from "../schemas/runs/run-verdict.ts";
import { WorkflowRunOutput } from "../schemas/runs/workflow-run.ts";
import { CompactionResult } from "../schemas/sessions/compaction.ts";
import { SessionId } from "../schemas/sessions/session-id.ts";
import { describedAs, meaning } from "../schemas/values/described-as.ts";
import { integerText, optionalText } from "../schemas/values/fields.ts";
import { OptionalKeyText } from "../schemas/values/key-text.ts";
import { numberText } from "../schemas/values/number-text.ts";
import { idEntry, idOf } from "../schemas/values/path-ids.ts";
import { created, only, user_id } from "../schemas/values/query-fields.ts";
import { resolveRoutes } from "./approvals.ts";
import { aguiRoutes } from "./protocols/agui.ts";
import { mcpRoutes } from "./protocols/mcp.ts";
import { openaiRoutes } from "./protocols/openai.ts";
import { uiChatRoutes } from "./protocols/ui-chat.ts";
import type { RouteTable, Schema } from "./route.ts";

type Plural = "agents" | "teams" | "workflows";
type Noun = "agent" | "team" | "workflow";

const session_id = meaning(SessionId, "Id of the run's session");
const SessionQuery = v.object({ session_id });
const run_id = idOf("the run");

/** Routes that runs of agents, teams and workflows have in common. @source docs/interface/runs.md 1.1 */
const rowsOf = <P extends Plural, N extends Noun, Output extends Schema, Row extends Schema>(
  plural: P,
  noun: N,
  Output: Output,
  Row: Row,
) => {
  const params = v.object(idEntry(noun));
  const runParams = v.object({ ...idEntry(noun), run_id });
  const run = [`${plural}:run`] as const;
  const readAndRun = [`${plural}:read`, `${plural}:run`] as const;
  return {
    create: {
      method: "POST",
      path: `/${plural}/{${noun}_id}/runs`,
      scopes: run,
      streams: `${noun}-run`,
      params,
      headers: { "Idempotency-Key": idempotencyKey },
      body: { form: CreateRunForm },
      response: Output,
      also: { 202: AcceptedRun },
      refuses: [400, 409, 422, 503],
      example: { body: { message: questions[noun], stream: false } },
      summary: `Run ${article(noun)}: wait for the answer, stream it, or queue it`,
      description:
        "stream=true (default) answers text/event-stream; stream=false answers the finished run; background=true with stream=false answers 202 and the run goes on durably. session_policy says what becomes of it while other runs of its session are live: it waits for them (queue, background runs only, and their default unless the instance is set otherwise), runs beside them (parallel), is rejected with 409 (reject), or they are cancelled for it (interrupt).",
    },
    continue: {
      method: "POST",
      path: `/${plural}/{${noun}_id}/runs/{run_id}/continue`,
      scopes: run,
      streams: `${noun}-run`,
      params: runParams,
      headers: { "Idempotency-Key": idempotencyKey },
      body: { form: ContinueRunForm },
      response: Output,
      also: { 202: AcceptedRun },
      refuses: [400, 409, 422, 503],
      example: { body: { stream: false } },
      ...howToContinue[noun],
    },
    resume: {
      method: "POST",
      path: `/${plural}/{${noun}_id}/runs/{run_id}/resume`,
      scopes: run,
      streams: `${noun}-run`,
      params: runParams,
      body: { form: ResumeRunForm },
      response: { mediaType: "text/event-stream" },
      refuses: [400],
      example: { body: { last_event_index: 1 } },
      summary: "Follow a run's events again from where a connection broke off",
    },
    cancel: {
      method: "POST",
      path: `/${plural}/{${noun}_id}/runs/{run_id}/cancel`,
      scopes: run,
      params: runParams,
      query: v.object({
        session_id: meaning(v.optional(SessionId), "Id of the run's session; an admin may leave it out"),
      }),
      response: v.strictObject({}),
      refuses: [400],
      summary: "Stop a run: at once while it waits, at its next checkpoint while it is executed",
    },
    get: {
      method: "GET",
      path: `/${plural}/{${noun}_id}/runs/{run_id}`,
      scopes: readAndRun,
      params: runParams,
      query: SessionQuery,
      response: Output,
      summary: "Poll one run",
    },
    list: {
      method: "GET",
      path: `/${plural}/{${noun}_id}/runs`,
      scopes: readAndRun,
      params,
      query: v.object({
        session_id: meaning(SessionId, "Id of the session"),
        status: meaning(v.optional(v.string()), "Only runs in this state"),
      }),
      response: v.array(Row),
      strangers: 404,
      summary: "List the runs of one session",
    },
  } as const;
};

/** Routes by which people talk to a run that has begun. */
const messageRowsOf = <P extends Plural, N extends Noun>(plural: P, noun: N) => {
  const runParams = { ...idEntry(noun), run_id };
  const messages = `/${plural}/{${noun}_id}/runs/{run_id}/messages` as const;
  return {
    send: {
      method: "POST",
      path: messages,
      scopes: [`${plural}:run`] as const,
      params: v.object(runParams),
      headers: { "Idempotency-Key": messageKey },
      body: { form: RunMessageForm },
      status: 202,
      response: SentMessage,
      refuses: [400, 409, 422, 503],
      example: { body: { message: "The newer order, please" } },
      summary: "Say something to a run that has begun",
      description:
        "The run is shown it before its next model call, behind the results of its tools; a paused run, when it is continued. delivery says whether it is for this run (steered) or, because the run has ended, became a run of its own (new_run). What a run has not taken when it ends becomes a new run too; that of a cancelled run, and of a workflow, stays unread. Of a workflow the agent or team at work takes it, or the next one; of several step_id names one. 20 messages may wait.",
    },
    list: {
      method: "GET",
      path: messages,
      scopes: [`${plural}:read`, `${plural}:run`] as const,
      params: v.object(runParams),
      query: SessionQuery,
      response: RunMessages,
      summary: "List what was said to a run since it began, and what became of it",
    },
    withdraw: {
      method: "DELETE",
      path: `${messages}/{message_id}`,
      scopes: [`${plural}:run`] as const,
      params: v.object({ ...runParams, message_id: idOf("the message") }),
      query: SessionQuery,
      status: 204,
      response: null,
      refuses: [409],
      summary: "Take back a message that its run has not taken",
    },
  } as const;
};

const messageKey = {
  description: "The id of the message, where message_id names none",
  schema: { maxLength: MAX_MESSAGE_ID_CHARS },
  example: "order-4711-note",
};

/** Routes only of runs that are conversations: they can be continued from an earlier message. */
const conversationRowsOf = <P extends Plural, N extends Noun>(plural: P, noun: N) => {
  const runParams = { ...idEntry(noun), run_id };
  const readAndRun = [`${plural}:read`, `${plural}:run`] as const;
  return {
    listCheckpoints: {
      method: "GET",
      path: `/${plural}/{${noun}_id}/runs/{run_id}/checkpoints`,
      scopes: readAndRun,
      params: v.object(runParams),
      query: SessionQuery,
      response: v.object({ run_id: v.string(), session_id: v.string(), checkpoints: v.array(Checkpoint) }),
      summary: "List the places from which a run may be resumed",
    },
    getCheckpoint: {
      method: "GET",
      path: `/${plural}/{${noun}_id}/runs/{run_id}/checkpoints/{message_index}`,
      scopes: readAndRun,
      params: v.object({ ...runParams, message_index: meaning(v.string(), "How many messages there were") }),
      query: SessionQuery,
      response: v.object({ checkpoint: Checkpoint, snapshot: RunOutput }),
      refuses: [400],
      summary: "Show a run as it was after so many messages",
    },
    forkSession: {
      method: "POST",
      path: `/${plural}/{${noun}_id}/sessions/{session_id}/fork`,
      scopes: [`${plural}:run`] as const,
      params: v.object({ ...idEntry(noun), session_id: idOf("the session") }),
      response: v.object({ session_id: v.string(), forked_from_session_id: v.string() }),
      refuses: [400],
      strangers: 400,
      summary: "Copy a session's finished runs into a new session",
    },
  } as const;
};

/** What a run of each kind is asked in examples. */
const questions = {
  agent: "Where is my order?",
  team: "Where is my order?",
  workflow: "The week in numbers",
} as const satisfies Readonly<Record<Noun, string>>;

const article = (noun: Noun): string => (noun === "agent" ? `an ${noun}` : `a ${noun}`);

const conversation = {
  summary: "Continue a run: answer a paused one, resume a failed one, go on from a completed one",
  more: "A completed run is continued as a new run (forked_from_run_id); fork=true does so with any run, from continue_from on; regenerate=true answers the last message anew. A run that was queued is continued with background=true.",
};
const howToContinue: Readonly<Record<Noun, { summary: string; description: string }>> = {
  agent: {
    summary: conversation.summary,
    description: `tools carries the calls of a paused run with their answers. ${conversation.more}`,
  },
  team: {
    summary: conversation.summary,
    description: `requirements carries what a paused run asks, its members' questions included, with the answers. ${conversation.more}`,
  },
  workflow: {
    summary: "Continue a paused run with the answers it waits for",
    description:
      "step_requirements carries what the paused run asks with the answers: confirmed, user_input, selected_choices, edited_output; inside executor_requirements those of an agent or a team. A run that was queued is continued with background=true.",
  },
};

const agentMessages = messageRowsOf("agents", "agent");
const teamMessages = messageRowsOf("teams", "team");
const workflowMessages = messageRowsOf("workflows", "workflow");
const agents = {
  ...rowsOf("agents", "agent", RunOutput, AgentRunRow),
  ...conversationRowsOf("agents", "agent"),
};
const teams = { ...rowsOf("teams", "team", RunOutput, TeamRunRow), ...conversationRowsOf("teams", "team") };
const workflows = rowsOf("workflows", "workflow", WorkflowRunOutput, WorkflowRunRow);

/** Which runs are listed over all sessions. A cursor belongs to these. */
const runFilter = {
  component_type: meaning(
    v.optional(v.picklist(["agent", "team", "workflow"])),
    "Only runs of components of this kind",
  ),
  component_id: only(OptionalKeyText, "agent, team or workflow"),
  run_id: meaning(optionalText(), "Only this run; none where the caller may not see it"),
  user_id,
  /** In any case. Checked in the handler: an unknown status answers 400, not 422. */
  status: meaning(
    v.optional(v.array(describedAs(v.string(), { type: "string", enum: [...runStatuses] }))),
    "Only runs in any of these states",
  ),
  ...created,
  error_contains: meaning(optionalText(), "A part of the error's text, case-sensitive"),
  q: meaning(
    v.optional(v.pipe(v.string(), v.maxLength(500))),
    'Words, and "phrases" in quotes, all of which are in the input, answer, error or feedback, in any case and without regard to accents',
  ),
  version: meaning(v.optional(integerText({ min: 1 })), "Only runs of this version of a stored component"),
  tool: meaning(optionalText(), "Only runs that called this tool, in a member or a step of them too"),
  cost_min: meaning(v.optional(numberText()), "Only runs that cost at least so many dollars"),
  duration_min: meaning(v.optional(numberText()), "Only runs that took at least so many seconds"),
  feedback: meaning(
    JudgedAsText,
    "Only runs with feedback of this key, or of this key and score, such as thumb:0",
  ),
  verdict: meaning(
    RunVerdictText,
    "Only runs that the judge of their component has found so (online evaluations)",
  ),
};

export const runRoutes = {
  listRuns: {
    method: "GET",
    path: "/runs",
    /** The handler requires the read scope of the kinds that are asked for; one of them is enough. */
    scopes: [],
    query: v.object({
      ...runFilter,
      limit: meaning(v.optional(integerText({ min: 1, max: 100 }), "20"), "Items of a page"),
      cursor: meaning(optionalText(), "next_cursor of the page before; none for the first"),
    }),
    response: ListedRuns,
    refuses: [400],
    example: { query: { component_type: "agent", status: ["ERROR"], created_after: 1772600000 } },
    summary: "List runs over all sessions, the newest first",
    description:
      "Takes agents:read, teams:read or workflows:read, also for single components, and shows what these allow. Whoever is no admin sees its own, whatever user_id says. Runs of a team's members and of a workflow's steps are part of theirs. Bounds are epoch seconds and inclusive; status may be repeated. One page looks at 500 runs at most, with q and tool at as many as 4,000 read units are enough for, so it may have fewer than limit: meta.looked_at says how many were looked at and back to when, and next_cursor is null only after the last one. status=ERROR alone, without user_id, leaves out waiting and streamed runs whose process was lost.",
  },
  cancelRuns: {
    method: "POST",
    path: "/runs/cancel",
    /** The handler requires the run scope of the kinds that are asked for; one of them is enough. */
    scopes: [],
    body: { json: CancelRunsBody },
    response: CancelledRuns,
    refuses: [409],
    example: { body: { component_type: "agent", component_id: "order-desk", limit: 50, dry_run: true } },
    summary: "Cancel many live runs, those in the foreground too",
    description:
      "A dry run unless dry_run is false: it reports what would be done and changes nothing. Takes agents:run, teams:run or workflows:run, also for single components, and cancels what these allow; whoever is no admin cancels its own. Runs that wait or are paused are cancelled at once, those that are executed stop at their next checkpoint. It looks at the 10,000 newest runs that the filter may let through.",
  },
  createAgentRun: agents.create,
  continueAgentRun: agents.continue,
  resumeAgentRun: agents.resume,
  listAgentCheckpoints: agents.listCheckpoints,
  getAgentCheckpoint: agents.getCheckpoint,
  forkAgentSession: agents.forkSession,
  compactAgentSession: {
    method: "POST",
    path: "/agents/{agent_id}/sessions/{session_id}/compact",
    scopes: ["agents:run"],
    params: v.object({ ...idEntry("agent"), session_id: idOf("the session") }),
    response: CompactionResult,
    refuses: [503],
    summary: "Fold a session's older history into a summary for the model",
    description:
      "The stored runs stay as they are. The agent's model writes the summary, within the caller's daily budget; the latest two runs are kept as they are. A decline is an answer: status says why.",
  },
  cancelAgentRun: agents.cancel,
  getAgentRun: agents.get,
  listAgentRuns: agents.list,
  sendAgentMessage: agentMessages.send,
  listAgentMessages: agentMessages.list,
  withdrawAgentMessage: agentMessages.withdraw,
  createTeamRun: teams.create,
  continueTeamRun: teams.continue,
  resumeTeamRun: teams.resume,
  listTeamCheckpoints: teams.listCheckpoints,
  getTeamCheckpoint: teams.getCheckpoint,
  forkTeamSession: teams.forkSession,
  cancelTeamRun: teams.cancel,
  getTeamRun: teams.get,
  listTeamRuns: teams.list,
  sendTeamMessage: teamMessages.send,
  listTeamMessages: teamMessages.list,
  withdrawTeamMessage: teamMessages.withdraw,
  createWorkflowRun: workflows.create,
  continueWorkflowRun: workflows.continue,
  resumeWorkflowRun: workflows.resume,
  cancelWorkflowRun: workflows.cancel,
  getWorkflowRun: workflows.get,
  listWorkflowRuns: workflows.list,
  sendWorkflowMessage: workflowMessages.send,
  listWorkflowMessages: workflowMessages.list,
  withdrawWorkflowMessage: workflowMessages.withdraw,
  ...resolveRoutes,
  ...aguiRoutes,
  ...openaiRoutes,
  ...uiChatRoutes,
  ...mcpRoutes,
} as const satisfies RouteTable;
