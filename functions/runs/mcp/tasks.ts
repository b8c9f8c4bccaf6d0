import {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as v from "valibot";
import { ServiceError } from "../../../shared/errors.ts";
import { epochSeconds } from "../../../shared/runtime/clock.ts";
import { parsedJson } from "../../../shared/schemas/values/json-values.ts";
import type { StoredRun } from "../../../shared/stores/runs/run-item.ts";
import {
  readTaskAnswers,
  recordTaskAnswer,
  removeTaskAnswer,
} from "../../../shared/stores/runs/task-answers.ts";
import { digestOf } from "./digest-of.ts";
import { type ClientCan, clientCan, TASKS_EXTENSION } from "./input/client-capabilities.ts";
import { type Given, givenTo } from "./input/question.ts";
import { questionsFor } from "./input/rounds.ts";
import type { McpDeps, McpRequest, ToolCall } from "./mcp-deps.ts";
import { refusedInProtocol } from "./refused-in-protocol.ts";
import { runResult } from "./run-result.ts";
import { cancelRunOf, continueRunOf, NamedRun, ownRun } from "./run-tools.ts";
import { toolResult } from "./tool.ts";

const PREFIX = "run_";
/** Clients ask so often; each time one record is read. */
const POLL_MS = 2_000;
const NamedTask = v.looseObject({ taskId: v.string() });
/** The id of a run as a task, which says where the run is: a task is stored nowhere else. */
export function taskIdOf({ component_type, component_id, run_id, session_id }: NamedRun): string {
  const address = [component_type, component_id, session_id, run_id];
  return `${PREFIX}${Buffer.from(JSON.stringify(address)).toString("base64url")}`;
}

const Address = v.tuple([v.string(), v.string(), v.string(), v.string()]);

/** @throws ProtocolError -32602 for what is no id of a task */
function namedIn(taskId: string): NamedRun {
  const text = taskId.startsWith(PREFIX) ? taskId.slice(PREFIX.length) : "";
  const address = v.safeParse(Address, parsedJson(Buffer.from(text, "base64url").toString()));
  const [component_type, component_id, session_id, run_id] = address.success ? address.output : [];
  const named = v.safeParse(NamedRun, { component_type, component_id, session_id, run_id });
  if (!named.success) throw unknownTask(taskId);
  return named.output;
}

const unknownTask = (taskId: string): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no task ${taskId} for you`);

/** What a call is answered with whose run goes on in the background. */
export const createdTask = async (deps: McpDeps, call: ToolCall, named: NamedRun, can: ClientCan) => ({
  ...(await taskOf(deps, call, named, can)),
  resultType: "task" as const,
});

/**
 * The methods of the extension of tasks. A task is a run: whoever may read the run reads the task, after any restart.
 *
 * @source modelcontextprotocol/ext-tasks, specification/draft/tasks.md
 */
export function serveTasks(
  server: Server,
  { principal, signal, invocation, headers }: McpRequest,
  deps: McpDeps,
): void {
  const { traceparent } = headers;
  const call: ToolCall = { principal, signal, invocation, traceparent, progress: () => undefined };
  const onTask = (
    method: string,
    work: (named: NamedRun, mcpReq: ServerContext["mcpReq"]) => Promise<Record<string, unknown>>,
  ): void =>
    server.setRequestHandler(
      method,
      { params: NamedTask },
      refusedInProtocol(deps, ({ taskId }, { mcpReq }) =>
        answerOf(taskId, () => {
          const declared = refuseUnlessDeclared(mcpReq);
          return work(namedIn(taskId), declared);
        }),
      ),
    );
  onTask("tasks/get", (named, mcpReq) => taskOf(deps, call, named, clientCan(mcpReq)));
  onTask("tasks/update", async (named, { inputResponses = {} }) => {
    await updateTask(deps, call, named, inputResponses);
    return {};
  });
  onTask("tasks/cancel", async (named) => {
    // One that has ended stays as it is.
    if (isOpen(await ownRun(named, call, deps))) await cancelRunOf(named, call, deps).catch(unlessTaken);
    return {};
  });
}

/** @throws MissingRequiredClientCapabilityError -32021 where the request does not say that its client knows tasks */
function refuseUnlessDeclared(mcpReq: ServerContext["mcpReq"]): ServerContext["mcpReq"] {
  if (clientCan(mcpReq).tasks) return mcpReq;
  const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
}

const isOpen = ({ status }: StoredRun): boolean => ["PENDING", "RUNNING", "PAUSED"].includes(status);

/** Another request was first. */
const unlessTaken = (error: unknown): void => {
  if (!isTaken(error)) throw error;
};
const isTaken = (error: unknown): boolean => error instanceof ServiceError && error.code === "CONFLICT";

async function answerOf<Result>(taskId: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError && error.code === "NOT_FOUND") throw unknownTask(taskId);
    throw error;
  }
}

/** A run as a task. */
async function taskOf(deps: McpDeps, call: ToolCall, named: NamedRun, can: ClientCan) {
  const run = await ownRun(named, call, deps);
  const { created_at } = run.output;
  const task = {
    taskId: taskIdOf(named),
    createdAt: instant(created_at),
    lastUpdatedAt: instant(run.updated_at ?? created_at),
    // A run is kept as long as its session.
    ttlMs: null,
    pollIntervalMs: POLL_MS,
  };
  return { ...task, ...(await stateOf(deps, call, run, named, can)) };
}

const instant = (seconds: number): string => new Date(seconds * 1000).toISOString();

async function stateOf(deps: McpDeps, call: ToolCall, run: StoredRun, named: NamedRun, can: ClientCan) {
  const result = runResult(run);
  switch (result.status) {
    case "PENDING":
    case "RUNNING":
      return { status: "working" as const };
    case "CANCELLED":
      return { status: "cancelled" as const };
    case "PAUSED": {
      const given = await answersTo(deps, call, named);
      const inputRequests = questionsFor(deps, can, result, given);
      if (inputRequests) return { status: "input_required" as const, inputRequests };
      const { waits_for = [] } = result;
      const statusMessage = waits_for
        .map(({ message }) => message ?? "The run waits for an answer.")
        .join(" ");
      return { status: "working" as const, statusMessage };
    }
    default:
      // As the call itself would have been answered.
      return { status: "completed" as const, result: toolResult(result, result.status === "ERROR") };
  }
}

/** Whose the answers to a task's questions are, until there are all of them; no other user's can be the same. */
const answerer = ({ principal }: Pick<ToolCall, "principal">): string =>
  digestOf([principal.kind, principal.user_id]);

const answersTo = ({ db, clock }: McpDeps, call: ToolCall, { run_id }: NamedRun): Promise<Given[]> =>
  readTaskAnswers(db, run_id, answerer(call), epochSeconds(clock));

/** Takes answers to some of the questions of a task, or to all; the last one continues the run. */
async function updateTask(
  deps: McpDeps,
  call: ToolCall,
  named: NamedRun,
  responses: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { status, waits_for: open = [] } = runResult(await ownRun(named, call, deps));
  if (status !== "PAUSED") return;
  for (const waiting of open) {
    const given = givenTo(waiting, responses[waiting.id]);
    if (given) await recordTaskAnswer(deps.db, named.run_id, answerer(call), given, epochSeconds(deps.clock));
  }
  const known = await answersTo(deps, call, named);
  const answers = open.flatMap((waiting) => known.filter((one) => one.id === waiting.id));
  if (answers.length < open.length) return;
  const confirmed = { ...call, confirm: async () => true };
  try {
    await continueRunOf({ ...named, answers }, confirmed, deps);
  } catch (error) {
    if (isTaken(error)) return;
    // One of them does not fit, and all are asked again.
    for (const { id } of answers) await removeTaskAnswer(deps.db, named.run_id, answerer(call), id);
    throw error;
  }
}
