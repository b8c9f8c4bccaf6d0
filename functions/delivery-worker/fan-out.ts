import { epochSeconds } from "../../shared/runtime/clock.ts";
import { type TargetName, targetNames } from "../../shared/schemas/deliveries/webhook-delivery.ts";
import { type StoredDelivery, type StoredEvent, writeDeliveries } from "../../shared/stores/outbox/index.ts";
import type { DeliveryWorkerDeps } from "./delivery-worker-deps.ts";
import type { Target } from "./targets/target-kind.ts";
import { targetKinds } from "./targets/target-kinds.ts";

/**
 * Writes one delivery for each receiver of an event. Their ids follow from event and receiver, so a worker that repeats
 * what another had begun makes no second one.
 *
 * @param known  deliveries of the same subject that are there already
 */
export async function fanOut(
  deps: DeliveryWorkerDeps,
  event: StoredEvent,
  known: readonly StoredDelivery[],
): Promise<void> {
  const now = epochSeconds(deps.clock);
  // Of a deleted run only the task that waited for it is notified.
  const names = event.subject.kind === "task" ? (["task"] as const) : targetNames;
  const found = await Promise.all(
    names.map(async (kind) =>
      (await targetKinds[kind].targetsOf(deps, event)).map((target) => deliveryFor(event, kind, target, now)),
    ),
  );
  const isKnown = ({ target, order }: StoredDelivery) =>
    known.some((one) => one.order === order && one.target.id === target.id);
  const missing = found.flat().filter((delivery) => !isKnown(delivery));
  await writeDeliveries(deps.db, event, missing);
}

/** @param now epoch seconds */
export function deliveryFor(
  event: StoredEvent,
  kind: TargetName,
  target: Target,
  now: number,
): StoredDelivery {
  const { type, subject, order, expires_at } = event;
  return {
    ...{ type, subject, order, expires_at },
    event_id: event.id,
    session_id: event.run?.session_id ?? null,
    target: { kind, id: target.id },
    user_id: target.user_id,
    host: target.host,
    status: "pending",
    tries: 0,
    attempts: [],
    due_at: now,
    created_at: now,
    updated_at: now,
  };
}
