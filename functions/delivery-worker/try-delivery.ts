import { absent, type Guard } from "../../shared/data/index.ts";
import { planAfterTry } from "../../shared/domain/deliveries/plan-try.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { PING } from "../../shared/schemas/deliveries/event-type.ts";
import {
  deliveryWork,
  freeTargetSlot,
  idOfDelivery,
  KEPT_ATTEMPTS,
  putHostWaiter,
  removeHostWaiter,
  SLOTS_OF_HOST,
  type StoredDelivery,
  type StoredEvent,
  subjectPartition,
  type TargetSlot,
  takeHostWaiter,
  takeTargetSlot,
} from "../../shared/stores/outbox/index.ts";
import { type Leased, runWork } from "../../shared/work/index.ts";
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
  const found = await findSlot(deps, delivery);
  if ("postponed" in found) return found.postponed;
  try {
    return await tryNow();
  } finally {
    await passSlotOn(deps, found.slot).catch((error: unknown) =>
      deps.log.warn("a slot of a host could not be passed on", { host: delivery.host, error }),
    );
  }
}

/**
 *   no slot ─▶ due later ─▶ waiter of the host ─▶ still no slot ─▶ until one is freed, or its time comes
 *
 * In this order: what frees a slot in between finds the waiter, and wakes it after the later time was written.
 */
async function findSlot(
  deps: DeliveryWorkerDeps,
  delivery: StoredDelivery,
): Promise<{ readonly slot: TargetSlot } | { readonly postponed: Next }> {
  const { db, clock, random, newWorkerId } = deps;
  const take = () => {
    const first = Math.floor(random() * SLOTS_OF_HOST);
    return takeTargetSlot(db, delivery.host, newWorkerId(), epochSeconds(clock), first);
  };
  const slot = await take();
  if (slot) return { slot };
  const postponed = await postpone(deps, delivery);
  if (postponed === "busy") return { postponed };
  await putHostWaiter(db, delivery, epochSeconds(clock));
  const late = await take();
  if (!late) return { postponed };
  await removeHostWaiter(db, delivery);
  return { slot: late };
}

/** Frees a slot, and wakes the first delivery that waits for one. */
async function passSlotOn({ db, clock, queue }: DeliveryWorkerDeps, slot: TargetSlot): Promise<void> {
  await freeTargetSlot(db, slot);
  for (let found = 0; found < WAITERS_SEEN; found += 1) {
    const waiter = await takeHostWaiter(db, slot.host);
    if (!waiter) return;
    const { subject, target, order } = waiter.place;
    const ref = { subject, target: { id: target }, order };
    const { changed } = await deliveryWork.change(db, ref, { due: epochSeconds(clock) }, unclaimed(waiter));
    if (changed) return queue.send({ subject: subjectPartition(subject), target });
  }
}

/** Of these some were delivered since, or have been tried. */
const WAITERS_SEEN = 8;

/** As it was read, and with no worker. */
const unclaimed = ({ tries }: Pick<StoredDelivery, "tries">): Guard => [
  deliveryWork.open,
  { tries, lease_by: absent },
];

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

const POSTPONED_SECONDS = 5;
const POSTPONED_AT_MOST_SECONDS = 30;

/**
 * All slots of the host are taken: the try is made as soon as one is free, and does not count. The time is for a slot whose process
 * died, which wakes nothing.
 */
async function postpone({ db, clock, random }: DeliveryWorkerDeps, delivery: StoredDelivery): Promise<Next> {
  const range = POSTPONED_AT_MOST_SECONDS - POSTPONED_SECONDS;
  const afterSeconds = Math.ceil(POSTPONED_SECONDS + range * random());
  const due_at = epochSeconds(clock) + afterSeconds;
  const { changed } = await deliveryWork.change(db, delivery, { due: due_at }, unclaimed(delivery));
  return changed ? { due_at, afterSeconds } : "busy";
}
