import type { DatabaseSync } from "node:sqlite";
import type { BuildAppOptions } from "fauxqs";
import { StartupError } from "../startup-error.ts";
import { accountId } from "../template/names.ts";
import type { QueueModel } from "../template/queues.ts";

type Stores = NonNullable<BuildAppOptions["stores"]>;
type SqsStore = Stores["sqsStore"];
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
 * The emulator's own start function listens on every network interface, through a web framework. So its parts are
 * assembled here without either: requests come from the AWS endpoint straight to the handlers of its operations, and event
 * sources read the queues directly.
 *
 * @param dataDir  folder that stores queues and messages; in memory when absent
 */
export async function openSqs(dataDir?: string): Promise<Sqs> {
  const { sqsStore, close } = await openStore(dataDir);
  const router = await openRouter(sqsStore);
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
      const reply = { status: 200, headers: { "content-type": "application/x-amz-json-1.0" } };
      const answer = await router.handle(
        { headers: { "x-amz-target": target }, body: JSON.parse(body) },
        {
          status: (code) => Object.assign(reply, { status: code }),
          header: (name, value) => Object.assign(reply.headers, { [name]: value }),
        },
      );
      return { ...reply, body: JSON.stringify(answer ?? {}) };
    },
    stop: async () => {
      clearInterval(looking);
      sqsStore.shutdown();
      close();
    },
  };
}

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

/** What the emulator's operations ask of a web framework. */
type Router = {
  readonly register: (operation: string, handler: unknown) => void;
  readonly handle: (
    request: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown },
    reply: {
      readonly status: (code: number) => unknown;
      readonly header: (name: string, value: string) => unknown;
    },
  ) => Promise<unknown>;
};

/** The operations of messages: functions may call no others, and the template alone makes queues. */
const operations = [
  "SendMessage",
  "SendMessageBatch",
  "ReceiveMessage",
  "DeleteMessage",
  "DeleteMessageBatch",
  "ChangeMessageVisibility",
  "GetQueueAttributes",
  "GetQueueUrl",
];

async function openRouter(sqsStore: SqsStore): Promise<Router> {
  const { SqsRouter }: { SqsRouter: new (store: SqsStore) => Router } = await part("sqs/sqsRouter.js");
  const router = new SqsRouter(sqsStore);
  for (const operation of operations) {
    const handler = `${operation.slice(0, 1).toLowerCase()}${operation.slice(1)}`;
    router.register(operation, (await part(`sqs/actions/${handler}.js`))[handler]);
  }
  return router;
}

/** The emulator does not export its parts, so they are imported by file name; its exact version is pinned for that. */
async function openStore(dataDir?: string): Promise<{ sqsStore: SqsStore; close: () => void }> {
  const [{ SqsStore }, { SnsStore }, { PersistenceManager }]: [
    { SqsStore: new () => SqsStore },
    { SnsStore: new () => Stores["snsStore"] },
    { PersistenceManager: new (dataDir: string) => Persistence },
  ] = await Promise.all([part("sqs/sqsStore.js"), part("sns/snsStore.js"), part("persistence.js")]);
  const sqsStore = new SqsStore();
  if (!dataDir) return { sqsStore, close: () => {} };
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
  persistence.loadSqsAndSns(sqsStore, new SnsStore());
  sqsStore.persistence = persistence;
  for (const queue of sqsStore.allQueues()) {
    queue.persistence = persistence;
    releaseInFlight(queue);
  }
  return { sqsStore, close: () => persistence.close() };
}

const part = (file: string) => import(new URL(file, import.meta.resolve("fauxqs")).href);
