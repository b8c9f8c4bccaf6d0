import { absent } from "../../shared/data/guard.ts";
import { MAX_TRIES, planAfterTry } from "../../shared/domain/deliveries/plan-try.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { PING } from "../../shared/schemas/deliveries/event-type.ts";
import { changeDelivery, unlistedKeys } from "../../shared/stores/outbox/change-delivery.ts";
import {
  idOfDelivery,
  KEPT_ATTEMPTS,
  type StoredDelivery,
} from "../../shared/stores/outbox/delivery-item.ts";
import type { StoredEvent } from "../../shared/stores/outbox/event-item.ts";
import { leaseDelivery, releaseDelivery } from "../../shared/stores/outbox/lease-delivery.ts";
import {
  freeTargetSlot,
  SLOTS_OF_HOST,
  type TargetSlot,
  takeTargetSlot,
} from "../../shared/stores/outbox/target-slots.ts";
import type { DeliveryWorkerDeps } from "./delivery-worker-deps.ts";
import type { Tried } from "./targets/target-kind.ts";
import { targetKinds } from "./targets/target-kinds.ts";

/** What is next: nothing more of this delivery, another worker has it, or a further try at a time. */
export type Next = "over" | "busy" | { readonly due_at: number; readonly afterSeconds: number };

/**
 * Makes one try of a delivery.
 *
 *   slot of the host ─▶ lease, which counts the try ─▶ send ─▶ record and release
 *                                                        └ dies here: sent once more, with the same id
 *
 * @param event  undefined when it has expired
 */
export async function tryDelivery(
  deps: DeliveryWorkerDeps,
  delivery: StoredDelivery,
  event: StoredEvent | undefined,
): Promise<Next> {
  const { db } = deps;
  const worker = deps.newWorkerId();
  const tryNow = async (): Promise<Next> => {
    const leased = await leaseDelivery(db, delivery, worker, epochSeconds(deps.clock));
    return leased ? tryLeased(deps, leased, event, worker) : "busy";
  };
  if (targetKinds[delivery.target.kind].isUnlimited) return tryNow();
  const slot = await takeSlot(deps, delivery.host, worker);
  if (!slot) return postpone(deps, delivery);
  try {
    return await tryNow();
  } finally {
    await freeTargetSlot(db, slot).catch(() => undefined);
  }
}

async function tryLeased(
  deps: DeliveryWorkerDeps,
  leased: StoredDelivery,
  event: StoredEvent | undefined,
  worker: string,
): Promise<Next> {
  const at = epochSeconds(deps.clock);
  const startedAt = deps.clock.now();
  const kind = targetKinds[leased.target.kind];
  // Every try counts from its lease; so many that no answer was recorded of mean that it ends its workers.
  if (leased.tries > MAX_TRIES)
    return end(deps, leased, worker, "failed", "its tries ended without an answer");
  if (!event) return end(deps, leased, worker, "skipped", "the event has expired");
  const tried: Tried = await kind.deliver(deps, leased, event, at);
  if ("skipped" in tried) return end(deps, leased, worker, "skipped", tried.skipped);
  const attempt = { at, duration_ms: Math.round(deps.clock.now() - startedAt), ...tried.attempt };
  const attempts = [...leased.attempts, attempt].slice(-KEPT_ATTEMPTS);
  const plan = planAfterTry(tried.result, leased.tries, deps.random());
  const now = epochSeconds(deps.clock);
  if (plan.status !== "pending") {
    const reason = plan.status === "failed" ? (tried.reason ?? "every try failed") : undefined;
    return end(deps, { ...leased, attempts }, worker, plan.status, reason);
  }
  const due_at = now + plan.afterSeconds;
  const released = await releaseDelivery(deps.db, leased, worker, { attempts, due_at, updated_at: now });
  return released ? { due_at, afterSeconds: plan.afterSeconds } : "busy";
}

async function end(
  { db, clock, log, meter }: DeliveryWorkerDeps,
  delivery: StoredDelivery,
  worker: string,
  status: StoredDelivery["status"],
  reason: string | undefined,
): Promise<Next> {
  const { attempts } = delivery;
  if (status === "failed")
    log.warn("a receiver was not told of an event", { delivery_id: idOfDelivery(delivery), reason });
  const unlisted = status === "delivered" && targetKinds[delivery.target.kind].isUnlistedOnceTold;
  const change = {
    ...(unlisted && unlistedKeys),
    status,
    reason,
    attempts,
    due_at: undefined,
    updated_at: epochSeconds(clock),
  };
  if (!(await releaseDelivery(db, delivery, worker, change))) return "busy";
  // Who tests an endpoint sees by itself that it did not answer.
  if (status === "failed" && delivery.type !== PING) meter?.record({ UndeliveredEvents: 1 });
  return "over";
}

const SLOT_TRIES = 3;
const SLOT_WAIT_MS = 300;

/** Waits for a moment: most receivers answer faster than that. */
async function takeSlot(
  { db, clock, random }: DeliveryWorkerDeps,
  host: string,
  worker: string,
): Promise<TargetSlot | undefined> {
  for (let tryNumber = 1; ; tryNumber += 1) {
    const first = Math.floor(random() * SLOTS_OF_HOST);
    const slot = await takeTargetSlot(db, host, worker, epochSeconds(clock), first);
    if (slot || tryNumber >= SLOT_TRIES) return slot;
    await clock.sleep(SLOT_WAIT_MS * (1 + random()));
  }
}

const POSTPONED_SECONDS = 5;
const POSTPONED_AT_MOST_SECONDS = 30;

/** All slots of the host are taken: the try is made later, and does not count. */
async function postpone({ db, clock, random }: DeliveryWorkerDeps, delivery: StoredDelivery): Promise<Next> {
  const range = POSTPONED_AT_MOST_SECONDS - POSTPONED_SECONDS;
  const afterSeconds = Math.ceil(POSTPONED_SECONDS + range * random());
  const due_at = epochSeconds(clock) + afterSeconds;
  const asRead = { status: "pending", tries: delivery.tries, lease_by: absent };
  const changed = await changeDelivery(db, delivery, { due_at }, asRead);
  return changed ? { due_at, afterSeconds } : "busy";
}
