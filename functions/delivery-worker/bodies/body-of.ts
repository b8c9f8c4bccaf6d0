import type { StoredEvent } from "../../../shared/stores/outbox/event-item.ts";
import type { DeliveryWorkerDeps } from "../delivery-worker-deps.ts";
import type { BodyOptions } from "./body-options.ts";
import { runData } from "./run-data.ts";

/**
 * The body of the message that tells of an event. What was said in a run is read from its record now: the outbox holds
 * none of it, and after the run is deleted nothing of it is sent.
 *
 * @returns undefined when what it is about was deleted
 * @source Standard Webhooks 1.0, "Payload structure"
 */
export async function bodyOf(
  deps: DeliveryWorkerDeps,
  event: StoredEvent,
  options: BodyOptions,
  now: number,
): Promise<string | undefined> {
  const data = event.run
    ? await runData(deps.db, event, event.run, options, now)
    : { endpoint_id: event.endpoint_id };
  if (!data) return undefined;
  const timestamp = new Date(event.occurred_at * 1000).toISOString();
  return JSON.stringify({ type: event.type, timestamp, data });
}
