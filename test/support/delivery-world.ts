import type { DeliveryWorkerDeps } from "../../functions/delivery-worker/delivery-worker-deps.ts";
import { processSubject } from "../../functions/delivery-worker/process-subject.ts";
import { newestSecret, type SigningRoots } from "../../shared/outbound/signing-keys.ts";
import type { DeliveryMessage } from "../../shared/queue/delivery-queue.ts";
import { epochSeconds } from "../../shared/runtime/clock.ts";
import { newId } from "../../shared/runtime/ids.ts";
import type { Figures } from "../../shared/runtime/metrics/meter.ts";
import type { Db } from "../../shared/stores/db.ts";
import { deliveryWork } from "../../shared/stores/outbox/delivery-item.ts";
import { createEndpoint, type StoredEndpoint } from "../../shared/stores/outbox/endpoints.ts";
import { openOutbox, type Subscribers } from "../../shared/stores/outbox/outbox.ts";
import { readSubject } from "../../shared/stores/outbox/read-subject.ts";
import { manualClock } from "./manual-clock.ts";
import { type QueueSettings, queueWorld } from "./queue-world.ts";

const roots: SigningRoots = ["a root for tests that is long enough"];

const instance = { EVENT_BUS_CONTENTS: "false", OS_ID: "agent-platform", STAGE: "test" } as const;

/**
 * Runs, outbox, worker of deliveries and sweeper in one process over a real store, with time and wake-ups in the test's
 * hand.
 */
export function deliveryWorld(
  stored: Db,
  {
    allowedHosts = [],
    settings = {},
    subscribers = { webhooks: true, bus: false, taskTokens: false },
    ...targets
  }: {
    allowedHosts?: string[];
    settings?: Partial<QueueSettings>;
    subscribers?: Subscribers;
  } & Pick<DeliveryWorkerDeps, "bus" | "tasks"> = {},
) {
  const clock = manualClock(Math.floor(Date.now() / 1000) * 1000);
  const wakeups: (DeliveryMessage & { readonly due: number })[] = [];
  const figures: Figures[] = [];
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const send = async (message: DeliveryMessage, delaySeconds = 0) => {
    wakeups.push({ ...message, due: clock.now() + delaySeconds * 1000 });
  };
  const wake = (subject: string) => send({ subject });
  const db: Db = {
    ...stored,
    outbox: openOutbox(
      stored.client,
      stored.tables.outbox,
      { ...subscribers, retentionDays: 30, wake },
      clock,
    ),
  };
  const queue = queueWorld(db, { FETCH_ALLOWED_HOSTS: allowedHosts, ...settings }, clock);
  const deps: DeliveryWorkerDeps = {
    db,
    queue: { send },
    signingRoots: async () => roots,
    newWorkerId: newId,
    random: () => 0.5,
    clock,
    log,
    meter: { record: (some) => void figures.push(some) },
    settings: { FETCH_ALLOWED_HOSTS: allowedHosts, ...instance },
    ...targets,
  };
  const now = () => epochSeconds(clock);
  return {
    ...queue,
    db,
    clock,
    deps,
    wakeups,
    figures,
    roots,
    now,
    /** Delivers every wake-up that is due, and what is sent at once for it. @returns how many */
    async work(overrides: Partial<DeliveryWorkerDeps> = {}): Promise<number> {
      let done = 0;
      for (;;) {
        const at = wakeups.findIndex(({ due }) => due <= clock.now());
        if (at < 0) return done;
        const [message] = wakeups.splice(at, 1);
        if (message) await processSubject({ ...deps, ...overrides }, message);
        done += 1;
      }
    },
    resend: () => deliveryWork.sweep(db, { send }, now()),
    subjectOf: (runId: string) => readSubject(db, { kind: "run", id: runId }),
    async endpoint(changed: Partial<StoredEndpoint> & Pick<StoredEndpoint, "url">): Promise<StoredEndpoint> {
      const endpoint: StoredEndpoint = {
        id: newId(),
        description: null,
        user_id: "maria",
        audience: "own",
        events: [],
        components: [],
        include_content: false,
        enabled: true,
        disabled_reason: null,
        failing_since: null,
        generation: 1,
        created_at: now(),
        updated_at: null,
        ...changed,
      };
      await createEndpoint(db, endpoint);
      return endpoint;
    },
    secretOf: ({ id, generation }: StoredEndpoint) =>
      newestSecret(roots, { endpoint_id: id }, { generation }),
  };
}
export type DeliveryWorld = ReturnType<typeof deliveryWorld>;
