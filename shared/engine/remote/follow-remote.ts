import { type SendMessageRequest, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import type { Clock } from "../../runtime/clock.ts";
import { untilStopped } from "../../runtime/promises.ts";
import type { RemoteAgent } from "../define/remote-agent.ts";
import type { RemoteTask } from "../run/run-state.ts";
import { REQUEST_MS, type RemoteConnection } from "./connect-remote.ts";
import {
  collectRemoteAnswer,
  hasStopped,
  isAsking,
  type RemoteAnswer,
  type RemoteProgress,
} from "./remote-answer.ts";
import { StreamClosed } from "./remote-fault.ts";

export type Following = {
  readonly connection: RemoteConnection;
  readonly clock: Clock;
  /** Ends everything. */
  readonly signal: AbortSignal;
  /** Called after every event, and while none comes. Awaited, so that it can be saved before more is read. */
  readonly onProgress: (progress: RemoteProgress) => Promise<void>;
  /** Asked at least once a second; true ends the following, not the task. */
  readonly shouldYield: () => boolean;
};

/** How often a caller that follows is asked whether it has to yield. */
const TICK_MS = 1_000;
/** A stream that is silent for so long is given up; the task is asked for instead. */
const SILENCE_MS = 60_000;
const MAX_POLL_MS = 10_000;
/** Requests for a task that may fail in a row before the task counts as lost; so does one whose stream ends at once, without news. */
const MAX_FAILURES = 5;
const AT_ONCE_MS = 5_000;

/**
 * Sends a message, or follows a task that is known, until the task has stopped.
 *
 *   send ─▶ stream ─┬─ stopped ─▶ done
 *                   └─ breaks off, or is silent ─▶ ask for the task ─▶ subscribe again ─▶ …
 *
 * @param from  the message, or the task's id
 * @returns the answer; one of a task that goes on where the caller has to yield
 * @throws what kept the message from being sent, or the task from being read several times in a row
 */
export async function followRemote(
  from: { readonly send: SendMessageRequest } | { readonly task_id: string },
  following: Following,
): Promise<RemoteAnswer> {
  const { connection, clock, signal, onProgress, shouldYield } = following;
  const { client, streams } = connection;
  const answer = collectRemoteAnswer();
  // The first thing that is shown of a task that got an answer may be that it waits for it.
  const isAnswer = "send" in from && from.send.message?.taskId !== "";
  let events = 0;
  const seenOf = () => {
    const { state, chars } = answer.progress();
    return `${state} ${chars}`;
  };
  const isOver = () => {
    const { state } = answer.progress();
    return (hasStopped(state) && !(events <= 1 && isAsking(state) && isAnswer)) || shouldYield();
  };
  const report = async () => {
    events += 1;
    await onProgress(answer.progress());
  };
  const read = async (stream: AsyncIterable<StreamResponse>) => {
    for await (const event of ticking(stream, signal)) {
      if (event) {
        answer.add(event);
        await report();
      } else {
        await onProgress(answer.progress());
      }
      if (isOver()) return;
    }
  };
  const ask = async (id: string) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
    answer.addTask(await untilStopped(client.getTask({ id, tenant: "" }, { signal: limit }), limit));
    await report();
  };
  if ("send" in from) {
    if (streams) {
      try {
        await read(client.sendMessageStream(from.send, { signal }));
      } catch (error) {
        // It has arrived where its task is known.
        if (signal.aborted || answer.progress().task_id === undefined) throw error;
      }
    } else {
      const sent = await untilStopped(client.sendMessage(from.send, { signal }), signal);
      if ("messageId" in sent) answer.add({ payload: { $case: "message", value: sent } });
      else answer.addTask(sent as Task); // it is one or the other
      await report();
    }
  }
  const idOf = () => answer.progress().task_id ?? ("task_id" in from ? from.task_id : undefined);
  let failures = 0;
  let waitMs = TICK_MS;
  while (!isOver()) {
    const id = idOf();
    if (id === undefined) throw new Error("the stream ended before it named a task");
    try {
      await ask(id);
      if (isOver()) break;
      if (streams) {
        const [seen, startedAt] = [seenOf(), clock.now()];
        await read(client.resubscribeTask({ id, tenant: "" }, { signal }));
        if (!isOver() && seenOf() === seen && clock.now() - startedAt < AT_ONCE_MS) throw new StreamClosed();
      }
      failures = 0;
      if (isOver()) break;
    } catch (error) {
      signal.throwIfAborted();
      failures += 1;
      if (failures >= MAX_FAILURES) throw error;
    }
    for (let waited = 0; waited < waitMs && !shouldYield(); waited += TICK_MS)
      await clock.sleep(TICK_MS, signal);
    waitMs = Math.min(waitMs * 2, MAX_POLL_MS);
  }
  return answer.progress().whole();
}

/**
 * The events of a stream, with undefined for every second without one.
 *
 * @throws the signal's reason; an error when the stream is silent for too long
 */
async function* ticking<T>(events: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T | undefined> {
  const iterator = events[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      next.catch(() => undefined); // read below, unless the signal came first
      for (let silentMs = 0; ; silentMs += TICK_MS) {
        const first = await untilStopped(Promise.race([next, tick()]), signal);
        if (first !== "tick") {
          if (first.done) return;
          yield first.value;
          break;
        }
        if (silentMs >= SILENCE_MS) throw new Error("the stream was silent for too long");
        yield undefined;
      }
    }
  } finally {
    // A generator that waits for its next event ends only after that, so its end is not awaited.
    Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

const tick = (): Promise<"tick"> =>
  new Promise((resolve) => {
    setTimeout(() => resolve("tick"), TICK_MS);
  });

/**
 * Finds out whether a message has arrived that a process which died was about to send: by the task that it belongs to, or
 * in the list of its conversation's tasks (version 1.0).
 *
 * @returns the id of its task; `never` where it may be sent; `unknown` where a second one would do harm and nothing shows
 */
export async function findSent(
  client: Client,
  task: RemoteTask,
  { remote }: RemoteAgent,
  signal: AbortSignal,
): Promise<string | "never" | "unknown"> {
  const seen = await tasksOf(client, task, signal);
  const holding = seen?.find(({ history }) => history.some(({ messageId }) => messageId === task.message_id));
  if (holding) return holding.id;
  if (remote.effect !== "once") return "never";
  // A server that keeps no messages of users proves nothing by their absence.
  const isProof = seen?.every(({ history }) => history.length > 0) === true && task.context_id !== "";
  return isProof ? "never" : "unknown";
}

async function tasksOf(client: Client, { task_id, context_id }: RemoteTask, signal: AbortSignal) {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
  try {
    if (task_id !== undefined) {
      return [await untilStopped(client.getTask({ id: task_id, tenant: "" }, { signal: limit }), limit)];
    }
    if (context_id === "") return undefined;
    const asked = {
      tenant: "",
      contextId: context_id,
      status: TaskState.TASK_STATE_UNSPECIFIED,
      pageSize: 50,
      pageToken: "",
      statusTimestampAfter: undefined,
    };
    return (await untilStopped(client.listTasks(asked, { signal: limit }), limit)).tasks;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
