import { StreamResponse } from "@a2a-js/sdk";
import { V03PushNotificationSerializer } from "@a2a-js/sdk/compat/v0_3/server";
import { statusOf, type TaskView, taskOf } from "./task-of.ts";

/** Largest body; of a larger task only its status is sent, and the client fetches the rest. */
const MAX_BODY_BYTES = 256_000;

/**
 * The message that notifies a client of its task: the task as it is now, in the form of the client's version. Files that the run
 * has made are not in it.
 *
 * @source a2a-spec 1.0, "Push Notification Payload": a StreamResponse; 0.3: the task itself
 */
export function pushBody(
  seen: TaskView,
  version: "1.0" | "0.3",
): { readonly body: string; readonly contentType: string } {
  const task = { ...taskOf(seen), history: [] };
  const whole = serialized({ payload: { $case: "task", value: task } }, version);
  if (Buffer.byteLength(whole.body) <= MAX_BODY_BYTES) return whole;
  const { run_id: taskId, session_id: contextId } = seen.run;
  const value = { taskId, contextId, status: statusOf(seen), metadata: undefined };
  return serialized({ payload: { $case: "statusUpdate", value } }, version);
}

function serialized(event: StreamResponse, version: "1.0" | "0.3") {
  if (version === "0.3") return new V03PushNotificationSerializer().serialize(event);
  return { body: JSON.stringify(StreamResponse.toJSON(event)), contentType: "application/a2a+json" };
}
