/**
 * The ids of the messages that people have sent to a run and that it has: in its messages, and in those of the runs within it.
 *
 * @param value  a run's state or output
 */
export function steeredIds(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(steeredIds);
  if (value === null || typeof value !== "object") return [];
  if ("from_history" in value && "role" in value) return idsOf(value);
  return Object.values(value).flatMap(steeredIds);
}

function idsOf(message: { readonly from_history: unknown; readonly steered?: unknown }): string[] {
  const { steered, from_history } = message;
  if (from_history === true || steered === null || typeof steered !== "object") return [];
  return "message_id" in steered && typeof steered.message_id === "string" ? [steered.message_id] : [];
}
