import type { CallToolResult } from "@modelcontextprotocol/client";
import * as v from "valibot";
import { isObject } from "../../../schemas/values/json-values.ts";
import type { Elsewhere } from "../elsewhere.ts";
import { Asked, type responsesTo } from "./mcp-questions.ts";

/** A task at a server: what a call has become that takes longer than its answer may. */
export const KeptTask = v.object({
  by: v.literal("task"),
  task_id: v.string(),
  /** How long to wait between two questions for it, in milliseconds. */
  poll_ms: v.number(),
  /** Set where it has asked a person, who has answered since. */
  asked: v.optional(Asked),
});
export type KeptTask = v.InferOutput<typeof KeptTask>;

export type Tasks = {
  /** Sends a request of the extension. */
  readonly ask: <T>(
    method: "tasks/get" | "tasks/update" | "tasks/cancel",
    params: { readonly taskId: string } & Readonly<Record<string, unknown>>,
    schema: v.GenericSchema<unknown, T>,
  ) => Promise<T>;
};

/** Where the answer of a call has its task: a kind of result that the client does not know. */
const TASK_KEY = "agent-platform/task";

const LEAST_POLL_MS = 2_000;
const LONGEST_POLL_MS = 60_000;
const TICK_MS = 1_000;
/** Questions for a task that may fail in a row before it counts as lost. */
const MAX_FAILURES = 5;
const INVALID_PARAMS = -32_602;

/** A message of a server with its task as a part of an answer that the client knows. */
export function withKnownResult<Message extends object>(message: Message): Message {
  const result: unknown = Reflect.get(message, "result");
  if (!isObject(result) || result.resultType !== "task") return message;
  const meta = isObject(result._meta) ? result._meta : {};
  const known = { resultType: "complete", content: [], _meta: { ...meta, [TASK_KEY]: result } };
  return { ...message, result: known };
}

const CreatedTask = v.object({ taskId: v.string(), pollIntervalMs: v.optional(v.number()) });

/** The task that a call was answered with. */
export function taskIn({ _meta: meta }: CallToolResult): KeptTask | undefined {
  const created = v.safeParse(CreatedTask, meta?.[TASK_KEY]);
  if (!created.success) return undefined;
  const { taskId, pollIntervalMs = LEAST_POLL_MS } = created.output;
  const poll_ms = Math.min(Math.max(LEAST_POLL_MS, pollIntervalMs), LONGEST_POLL_MS);
  return { by: "task", task_id: taskId, poll_ms };
}

const SeenTask = v.looseObject({
  status: v.string(),
  result: v.optional(v.unknown()),
  error: v.optional(v.unknown()),
  inputRequests: v.optional(v.record(v.string(), v.unknown())),
});
const Anything = v.looseObject({});
const Result = v.looseObject({ content: v.array(v.looseObject({ type: v.string() })) });

type Followed =
  | { readonly ended: "completed"; readonly result: CallToolResult }
  | { readonly ended: "yielded" }
  | { readonly ended: "asked"; readonly requests: Readonly<Record<string, unknown>> };

/**
 * Asks for a task until it has ended, has a question for a person, or the process has to leave it to another.
 *
 * @param isDue  whether it is asked for at once
 * @throws Error with a text for the model; the reason of an abort
 */
export async function followTask(
  { ask }: Tasks,
  { task_id: taskId, poll_ms }: KeptTask,
  { shouldYield, sleep }: Pick<Elsewhere, "shouldYield" | "sleep">,
  isDue: boolean,
): Promise<Followed> {
  let waitMs = isDue ? 0 : poll_ms;
  for (let failures = 0; ; ) {
    for (; waitMs > 0; waitMs -= TICK_MS) {
      if (shouldYield()) return { ended: "yielded" };
      await sleep(Math.min(waitMs, TICK_MS));
    }
    waitMs = poll_ms;
    try {
      const seen = await ask("tasks/get", { taskId }, SeenTask);
      failures = 0;
      const ended = endOf(seen);
      if (ended) return ended;
    } catch (error) {
      failures += 1;
      if (error instanceof TaskEnded || isUnknown(error) || failures >= MAX_FAILURES) throw error;
    }
  }
}

/** A task that has no result, and never will have. */
class TaskEnded extends Error {}

function endOf({
  status,
  result,
  error,
  inputRequests = {},
}: v.InferOutput<typeof SeenTask>): Followed | undefined {
  switch (status) {
    case "completed": {
      const parsed = v.safeParse(Result, result);
      if (!parsed.success) throw new TaskEnded("The task has ended without a result.");
      return { ended: "completed", result: parsed.output as unknown as CallToolResult }; // its parts are read one by one
    }
    case "failed":
      throw new TaskEnded(isObject(error) ? `The task failed: ${String(error.message)}` : "The task failed.");
    case "cancelled":
      throw new TaskEnded("The task was cancelled at its server.");
    case "input_required":
      return Object.keys(inputRequests).length > 0 ? { ended: "asked", requests: inputRequests } : undefined;
    default:
      return undefined;
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, "code") === INVALID_PARAMS;

/** Gives a task the answers that it waits for. A second time changes nothing. */
export async function updateTask(
  { ask }: Tasks,
  { task_id: taskId }: KeptTask,
  inputResponses: ReturnType<typeof responsesTo>,
): Promise<void> {
  await ask("tasks/update", { taskId, inputResponses }, Anything);
}

/** Ends a task. */
export async function cancelTask({ ask }: Tasks, { task_id: taskId }: KeptTask): Promise<void> {
  await ask("tasks/cancel", { taskId }, Anything);
}
