import { isObject } from "../../schemas/values/json-values.ts";

/** Where a run's output or state has the runs within it. What tools and models wrote is elsewhere. */
const within = ["state", "output", "members", "member_responses", "executor_runs", "step_executor_runs"];

/**
 * The ids of the messages that people have sent to a run and that it has: in its messages, and in those of the runs within it.
 *
 * @param value  a run's state or output
 */
export function steeredIds(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(steeredIds);
  if (!isObject(value)) return [];
  const { messages, nested } = value;
  const own = Array.isArray(messages) ? messages.flatMap(idOf) : [];
  const runs = within.flatMap((name) => steeredIds(value[name]));
  const steps = isObject(nested) ? Object.values(nested).flatMap(steeredIds) : [];
  return [...own, ...runs, ...steps];
}

/** History is what other runs have. */
function idOf(message: unknown): string[] {
  if (!isObject(message) || message.from_history === true || !isObject(message.steered)) return [];
  const { message_id } = message.steered;
  return typeof message_id === "string" ? [message_id] : [];
}
