import { absent, type Guard } from "../../shared/data/guard.ts";
import { planAfterTry } from "../../shared/domain/deliveries/plan-try.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { PING } from "../../shared/schemas/deliveries/event-type.ts";
import {
  deliveryWork,
  idOfDelivery,
  KEPT_ATTEMPTS,
  type StoredDelivery,
} from "../../shared/stores/outbox/delivery-item.ts";
import type { StoredEvent } from "../../shared/stores/outbox/event-item.ts";
import {
  freeTargetSlot,
  SLOTS_OF_HOST,
  type TargetSlot,
  takeTargetSlot,
} from "../../shared/stores/outbox/target-slots.ts";
import { type Leased, runWork } from "../../shared/work/run-work.ts";
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
  const tryNow = () =>
    runWork(
      deliveryWork,
      deps,
      delivery,
      {
        idle: (): Next => "busy",
        // So many tries that no answer was recorded of mean that it ends its workers.
        exhausted: (leased) => end(deps, leased, "failed", "its tries ended without an answer"),
        work: (leased) => tryLeased(deps, leased, event),
      },
      { claim: { guard: asSeen(delivery) } },
    );
  if (targetKinds[delivery.target.kind].isUnlimited) return tryNow();
  const slot = await takeSlot(deps, delivery.host);
  if (!slot) return postpone(deps, delivery);
  try {
    return await tryNow();
  } finally {
    await freeTargetSlot(deps.db, slot).catch(() => undefined);
  }
}

const asSeen = ({ tries }: StoredDelivery): Guard => ({ tries });

async function tryLeased(
  deps: DeliveryWorkerDeps,
  leased: Leased<StoredDelivery>,
  event: StoredEvent | undefined,
): Promise<Next> {
  const { record, worker } = leased;
  const at = epochSeconds(deps.clock);
  const startedAt = deps.clock.now();
  const kind = targetKinds[record.target.kind];
  if (!event) return end(deps, leased, "skipped", "the event has expired");
  const tried: Tried = await kind.deliver(deps, record, event, at);
  if ("skipped" in tried) return end(deps, leased, "skipped", tried.skipped);
  const attempt = { at, duration_ms: Math.round(deps.clock.now() - startedAt), ...tried.attempt };
  const attempts = [...record.attempts, attempt].slice(-KEPT_ATTEMPTS);
  const plan = planAfterTry(tried.result, record.tries, deps.random());
  const now = epochSeconds(deps.clock);
  if (plan.status !== "pending") {
    const reason = plan.status === "failed" ? (tried.reason ?? "every try failed") : undefined;
    return end(deps, { record: { ...record, attempts }, worker }, plan.status, reason);
  }
  const due_at = now + plan.afterSeconds;
  const change = { set: { attempts, updated_at: now }, due: due_at };
  const released = await deliveryWork.release(deps.db, record, worker, change);
  return released.changed ? { due_at, afterSeconds: plan.afterSeconds } : "busy";
}

async function end(
  { db, clock, log, meter }: DeliveryWorkerDeps,
  { record: delivery, worker }: Pick<Leased<StoredDelivery>, "record" | "worker">,
  status: StoredDelivery["status"],
  reason: string | undefined,
): Promise<Next> {
  const { attempts } = delivery;
  if (status === "failed") log.warn("event delivery failed", { delivery_id: idOfDelivery(delivery), reason });
  const unlisted = status === "delivered" && targetKinds[delivery.target.kind].isUnlistedOnceDelivered;
  const released = await deliveryWork.release(db, delivery, worker, {
    set: { status, reason, attempts, updated_at: epochSeconds(clock) },
    due: null,
    // It is read by its id.
    ...(unlisted && { unset: ["owner_key", "all_key", "opened"] }),
  });
  if (!released.changed) return "busy";
  // Who tests an endpoint sees by itself that it did not answer.
  if (status === "failed" && delivery.type !== PING) meter?.record({ UndeliveredEvents: 1 });
  return "over";
}

const SLOT_TRIES = 3;
const SLOT_WAIT_MS = 300;

/** Waits for a moment: most receivers answer faster than that. */
async function takeSlot(
  { db, clock, random, newWorkerId }: DeliveryWorkerDeps,
  host: string,
): Promise<TargetSlot | undefined> {
  const holder = newWorkerId();
  for (let tryNumber = 1; ; tryNumber += 1) {
    const first = Math.floor(random() * SLOTS_OF_HOST);
    const slot = await takeTargetSlot(db, host, holder, epochSeconds(clock), first);
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
  const guard = [deliveryWork.open, asSeen(delivery), { lease_by: absent }];
  const { changed } = await deliveryWork.change(db, delivery, { due: due_at }, guard);
  return changed ? { due_at, afterSeconds } : "busy";
}
