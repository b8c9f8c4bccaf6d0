import type { DatabaseSync } from "node:sqlite";
import { type BuildAppOptions, buildApp } from "fauxqs";
import { StartupError } from "../startup-error.ts";
import { accountId, region } from "../template/names.ts";
import type { QueueModel } from "../template/queues.ts";

type SqsStore = NonNullable<BuildAppOptions["stores"]>["sqsStore"];
export type Queue = ReturnType<SqsStore["createQueue"]>;

/**
 * How often the queues are looked at for messages whose delay or visibility timeout has passed. Those that can be received at
 * once are notified at once.
 */
const LOOK_EVERY_MS = 50;

export type Sqs = {
  /** Creates the queues that are missing and brings the others' attributes up to date. */
  readonly createQueues: (models: readonly QueueModel[]) => void;
  readonly queue: (name: string) => Queue;
  readonly queueByArn: (arn: string) => Queue | undefined;
  /** Answers one request of an SQS client. */
  readonly answer: (
    target: string,
    body: string,
  ) => Promise<{ status: number; headers: Record<string, string>; body: string }>;
  readonly stop: () => Promise<void>;
};

/**
 * SQS in this process.
 *
 * The emulator's own start function listens on every network interface. So its parts are assembled here without a
 * socket: requests come from the AWS endpoint, and event sources read the queues directly.
 *
 * @param dataDir  folder that stores queues and messages; in memory when absent
 */
export async function openSqs(dataDir?: string): Promise<Sqs> {
  const { stores, close } = await openStores(dataDir);
  const app = buildApp({ logger: false, defaultRegion: region, stores });
  await app.ready();
  const { sqsStore } = stores;
  const looking = setInterval(() => sqsStore.processAllTimers(), LOOK_EVERY_MS).unref();
  return {
    createQueues: (models) => {
      for (const { name, arn, attributes } of models) {
        const present = sqsStore.getQueueByArn(arn);
        if (present) present.setAttributes({ ...attributes });
        const queue =
          present ??
          sqsStore.createQueue(name, `http://localhost/${accountId}/${name}`, arn, { ...attributes });
        leaveToOneTimer(queue);
      }
    },
    queue: (name) => {
      const queue = sqsStore.getQueueByName(name);
      if (!queue) throw new StartupError(`There is no queue named ${name}.`);
      return queue;
    },
    queueByArn: (arn) => sqsStore.getQueueByArn(arn),
    answer: async (target, body) => {
      const { statusCode, headers, payload } = await app.inject({
        method: "POST",
        url: "/",
        headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": target },
        payload: body,
      });
      const queryError = headers["x-amzn-query-error"];
      return {
        status: statusCode,
        headers: {
          "content-type": "application/x-amz-json-1.0",
          ...(typeof queryError === "string" && { "x-amzn-query-error": queryError }),
        },
        body: payload,
      };
    },
    stop: async () => {
      clearInterval(looking);
      await app.close();
      close();
    },
  };
}

type Stores = NonNullable<BuildAppOptions["stores"]>;
type Persistence = NonNullable<SqsStore["persistence"]>;

/** The emulator's own timers, fifty a second for each queue, are most of what a platform at rest does. */
const leaveToOneTimer = (queue: Queue): void =>
  void Object.assign(queue, { startPollTimerIfNeeded: () => {} });

/**
 * Makes messages in flight visible again. Their consumers ended with the last process, so nothing is gained by waiting
 * for the visibility timeout.
 *
 * @decided on AWS the pollers do not end together with the functions; here the wait would be up to 90 minutes
 */
function releaseInFlight(queue: Queue): void {
  for (const receiptHandle of [...queue.inflightMessages.keys()]) queue.changeVisibility(receiptHandle, 0);
}

/** The emulator does not export its stores, so they are imported by file name; its exact version is pinned for that. */
async function openStores(dataDir?: string): Promise<{ stores: Stores; close: () => void }> {
  const [{ SqsStore }, { SnsStore }, { S3Store }, { PersistenceManager }]: [
    { SqsStore: new () => SqsStore },
    { SnsStore: new () => Stores["snsStore"] },
    { S3Store: new () => Stores["s3Store"] },
    { PersistenceManager: new (dataDir: string) => Persistence },
  ] = await Promise.all([
    part("sqs/sqsStore.js"),
    part("sns/snsStore.js"),
    part("s3/s3Store.js"),
    part("persistence.js"),
  ]);
  const stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  if (!dataDir) return { stores, close: () => {} };
  const persistence = new PersistenceManager(dataDir);
  // Survives kill -9; only a power cut may lose the last messages, which the sweeper then sends again.
  const db: DatabaseSync = Reflect.get(persistence, "db");
  db.exec("PRAGMA synchronous = NORMAL");
  // The emulator's own statement sets the receive count to null, which its table refuses. A message that is
  // released before its visibility timeout would then throw, and so would a start after a crash.
  const makeReady = db.prepare(
    "UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL WHERE message_id = ?",
  );
  persistence.updateMessageReady = (messageId: string) => void makeReady.run(messageId);
  persistence.loadSqsAndSns(stores.sqsStore, stores.snsStore);
  stores.sqsStore.persistence = persistence;
  for (const queue of stores.sqsStore.allQueues()) {
    queue.persistence = persistence;
    releaseInFlight(queue);
  }
  return { stores, close: () => persistence.close() };
}

const part = (file: string) => import(new URL(file, import.meta.resolve("fauxqs")).href);
