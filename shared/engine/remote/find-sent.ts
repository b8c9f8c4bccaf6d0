import { TaskState } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { untilStopped } from "../abort/until-stopped.ts";
import type { RemoteTask } from "../run/run-state.ts";
import { REQUEST_MS } from "./connect-remote.ts";
import type { RemoteAgent } from "./is-remote.ts";

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
