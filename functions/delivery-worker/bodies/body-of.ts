import type { StoredEvent } from "../../../shared/stores/outbox/index.ts";
import type { DeliveryWorkerDeps } from "../delivery-worker-deps.ts";
import { dataOf } from "./data-of.ts";
import type { BodyOptions } from "./run-data.ts";

/**
 * The body of the message that describes an event.
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
  const data = await dataOf(deps.db, event, options, now);
  if (!data) return undefined;
  return JSON.stringify({ type: event.type, timestamp: isoTime(event.occurred_at), data });
}

/** @param seconds since the epoch */
export const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString();
