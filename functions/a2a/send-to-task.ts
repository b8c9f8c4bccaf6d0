import { createHash } from "node:crypto";
import { type Message, TaskState } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { inputOf } from "../../shared/a2a/input-of.ts";
import { replyOf, textOf } from "../../shared/a2a/reply-of.ts";
import { requireContext } from "../../shared/a2a/require-message.ts";
import { placesOf } from "../../shared/a2a/sent-parts.ts";
import { questionOf, type TaskView } from "../../shared/a2a/task-of.ts";
import { hasEnded, taskStateOf } from "../../shared/a2a/task-states.ts";
import { ServiceError } from "../../shared/errors.ts";
import { Reply } from "../../shared/http/handler.ts";
import { continueComponentRun, createComponentRun, sendComponentMessage } from "../../shared/runs/index.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import type { AcceptedRun } from "../../shared/schemas/runs/run.ts";
import { MAX_MESSAGE_ID_CHARS } from "../../shared/schemas/runs/run-message.ts";
import type { PushConfig } from "../../shared/stores/outbox/index.ts";
import { nextEventIndex } from "../../shared/stores/runs/events.ts";
import { noteReply, replyToTask } from "../../shared/stores/runs/task-item.ts";
import type { A2aDeps, A2aRequest } from "./a2a-deps.ts";
import { findTask, rereadTask } from "./find-task.ts";
import { savePushConfig } from "./push-configs.ts";

/** Parts of a message that are shown as they were sent; of a message with more, the texts are one part. */
const MOST_PLACES = 200;

/** A message that has reached its task. */
export type SentTo = TaskView & {
  /** Index of the first event that follows from the message. */
  readonly from: number;
  /** Whether the task continues with it; a message that answers nothing leaves it as it is. */
  readonly isTaken: boolean;
};

/** Where the client of a message wants to be notified of its task, checked. @throws RequestMalformedError */
export type PushOf = (taskId: string) => PushConfig;

/** The part of a message that a new task is made of. */
export type NewTask = Pick<Message, "messageId" | "contextId" | "parts">;

/**
 * Starts a run with a message. Every task is a background run: nothing of it depends on the connection, and a client
 * that reconnects finds it.
 *
 * @throws ServiceError as the runs handlers; RequestMalformedError for parts that no run takes
 */
export async function beginTask(
  request: A2aRequest,
  deps: A2aDeps,
  { messageId, contextId, parts }: NewTask,
  push?: PushOf,
): Promise<SentTo> {
  const id = deps.newRunId();
  // Before the run is there: it may have ended in the next moment. Of a run that is refused it expires.
  if (push) await savePushConfig(deps, id, push(id));
  const answer = await createComponentRun(
    {
      ...asRun(request),
      params: {},
      body: {
        ...inputOf(parts),
        ...{ stream: false, stream_events: true, background: true, session_policy: "parallel" },
        ...(contextId !== "" && { session_id: requireContext(contextId) }),
      },
      task: { message_id: messageId, ...(parts.length <= MOST_PLACES && { parts: placesOf(parts) }) },
    },
    { ...deps, newRunId: () => id },
  );
  // In the background and without a stream, this is what the handler answers.
  const { run_id } = (answer as Reply).body as AcceptedRun;
  const seen = await findTask(request, deps, run_id);
  if (!seen) throw new TaskNotFoundError(`task ${run_id} was removed in this moment`);
  return { ...seen, from: 0, isTaken: true };
}

/**
 * Sends a message to the task that it names, or starts one.
 *
 *   paused, and the message answers it   → continues under its id
 *   paused, and it does not              → stays paused, and says what is needed
 *   waits, or is executed                → is said to the run, before its next model call
 *   ended                                → UnsupportedOperation
 */
export async function sendToTask(
  request: A2aRequest,
  deps: A2aDeps,
  message: Message,
  push?: PushOf,
): Promise<SentTo> {
  if (message.taskId === "") return beginTask(request, deps, message, push);
  const seen = await findTask(request, deps, message.taskId);
  if (!seen) throw new TaskNotFoundError(`task ${message.taskId} not found`);
  const { run } = seen;
  if (message.contextId !== "" && message.contextId !== run.session_id) {
    throw new RequestMalformedError("message.contextId is not the context of the task");
  }
  if (hasEnded(run.status)) {
    const state = TaskState[taskStateOf[run.status]];
    throw new UnsupportedOperationError(`task ${run.run_id} is ${state}; send a message without its taskId`);
  }
  if (push && seen.task) await savePushConfig(deps, run.run_id, push(run.run_id));
  return run.status === "PAUSED"
    ? answerPause(request, deps, message, seen)
    : sayToTask(request, deps, message, seen);
}

/**
 * Says something to a task that is not done. The same message again changes nothing.
 *
 * @source docs/interface/a2a.md 3.4
 */
async function sayToTask(
  request: A2aRequest,
  deps: A2aDeps,
  message: Message,
  seen: TaskView,
): Promise<SentTo> {
  const { run, task } = seen;
  const from = await nextEventIndex(deps.db, run);
  const message_id = fittingId(message.messageId);
  const said = sendComponentMessage(
    {
      ...asRun(request),
      params: { run_id: run.run_id },
      body: {
        ...inputOf(message.parts),
        ...{ session_id: run.session_id, message_id, if_ended: "reject" },
      },
    },
    deps,
  );
  await said.catch((error: unknown) => {
    const isOfRun = error instanceof ServiceError && error.status === 409;
    throw isOfRun ? new UnsupportedOperationError(error.message) : error;
  });
  const reply = { message_id: message.messageId, text: textOf(message) };
  const isKnown = task?.replies.some((one) => one.message_id === message.messageId);
  if (task && !isKnown) await noteReply(deps.db, run.run_id, reply);
  return { ...((await rereadTask(deps, run)) ?? seen), from, isTaken: true };
}

/** The id of a message to a run; ids of the protocol may be longer. */
const fittingId = (id: string): string =>
  id.length <= MAX_MESSAGE_ID_CHARS ? id : createHash("sha256").update(id).digest("hex");

async function answerPause(
  request: A2aRequest,
  deps: A2aDeps,
  message: Message,
  seen: TaskView,
): Promise<SentTo> {
  const { run } = seen;
  const from = await nextEventIndex(deps.db, run);
  const reply = replyOf(message, run);
  if (!reply) return { ...seen, from, isTaken: false };
  if (!run.queued) {
    throw new UnsupportedOperationError(
      `task ${run.run_id} is a run in the foreground; continue it where it began`,
    );
  }
  const answer = await continueComponentRun(
    {
      ...asRun(request),
      params: { run_id: run.run_id },
      body: {
        ...reply,
        ...{ stream: false, stream_events: true, background: true, fork: false, regenerate: false },
        session_id: run.session_id,
      },
    },
    deps,
  );
  if (!(answer instanceof Reply)) throw new Error("a queued run was continued in the foreground");
  const received = {
    ...{ message_id: message.messageId, text: textOf(message) || JSON.stringify(reply) },
    question: questionOf(run),
  };
  await replyToTask(deps.db, run.run_id, received, epochSeconds(deps.clock));
  return { ...((await rereadTask(deps, run)) ?? seen), from, isTaken: true };
}

/** What the runs handlers read of a request. */
const asRun = ({ component, headers, principal, signal, invocation }: A2aRequest) => ({
  ...{ component, headers, principal, signal, invocation },
  query: {},
});
