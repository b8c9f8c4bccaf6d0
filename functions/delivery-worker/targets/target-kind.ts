import type { TryResult } from "../../../shared/domain/deliveries/plan-try.ts";
import type { DeliveryAttempt } from "../../../shared/schemas/deliveries/webhook-delivery.ts";
import type { StoredDelivery, StoredEvent } from "../../../shared/stores/outbox/index.ts";
import type { DeliveryWorkerDeps } from "../delivery-worker-deps.ts";

/** A receiver of one event. */
export type Target = {
  /** Stable, without a point: part of the delivery's id. */
  readonly id: string;
  /** Messages to one host are limited together. */
  readonly host: string;
  /** Who may see the delivery; null for those who see everything. */
  readonly user_id: string | null;
};

/** The result of one try; `skipped` says why there is nothing to deliver any more. */
export type Tried =
  | { readonly skipped: string }
  | {
      readonly result: TryResult;
      /** Of a try that failed for good. */
      readonly reason?: string;
      readonly attempt: Omit<DeliveryAttempt, "at" | "duration_ms">;
    };

/** A kind of receiver. A further one is one more file beside this, and its row in `target-kinds.ts`. */
export type TargetKind = {
  /** Set where as many messages as there are may be on the way at a time. */
  readonly isUnlimited?: true;
  /** Set where lists show only what waits or has failed: there are far more of these than anybody reads. */
  readonly isUnlistedOnceDelivered?: true;
  /** Receivers of this kind that subscribe to an event; asked once for each event. */
  readonly targetsOf: (deps: DeliveryWorkerDeps, event: StoredEvent) => Promise<readonly Target[]>;
  /**
   * Sends an event to a receiver, once. The receiver may have been changed since it was found.
   *
   * @param now  epoch seconds
   * @throws where a store fails: the delivery is tried again when its lease is over
   */
  readonly deliver: (
    deps: DeliveryWorkerDeps,
    delivery: StoredDelivery,
    event: StoredEvent,
    now: number,
  ) => Promise<Tried>;
};
