import * as v from "valibot";
import { ServiceError } from "../errors.ts";
import type { Log } from "../runtime/log.ts";
import { sendWakeUp } from "../work/index.ts";
import { connectSqs } from "./connect-sqs.ts";

/** Names one hand-off of one attempt; the worker that receives it may resume the run. */
export const HandOffRef = v.object({ attempt: v.number(), number: v.number() });
export type HandOffRef = v.InferOutput<typeof HandOffRef>;

/** A wake-up for one job. Carries ids only: the job row is the truth. */
export const RunMessage = v.object({
  job_id: v.string(),
  /** Whose share of the slots the job needs, as its row says. */
  user_id: v.optional(v.nullable(v.string()), null),
  hop: v.optional(HandOffRef),
});
export type RunMessage = v.InferOutput<typeof RunMessage>;

/** Longest delay that SQS accepts. */
const MAX_DELAY_SECONDS = 900;

export type Wakeup = {
  readonly job_id: string;
  /** The message group: messages of one user do not delay those of others. */
  readonly user_id: string | null;
  readonly delay_seconds?: number;
  /** Set when the message resumes a run that was handed off. */
  readonly hop?: HandOffRef;
};

export type RunQueue = {
  readonly send: (wakeup: Wakeup) => Promise<void>;
  /** Messages that wait for a worker, delayed ones included. Approximate, as SQS counts. */
  readonly countWaiting: () => Promise<number>;
};

/** The queue of wake-ups. A lost or duplicate message does no harm: the job row is the truth. */
export function connectRunQueue(queueUrl: string): RunQueue {
  const sqs = connectSqs();
  return {
    async send({ job_id, user_id, delay_seconds, hop }) {
      const message: RunMessage = { job_id, user_id, ...(hop && { hop }) };
      const { sdk, client } = await sqs();
      await client.send(
        new sdk.SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(message),
          MessageGroupId: groupOf(user_id),
          ...(delay_seconds && { DelaySeconds: Math.min(Math.ceil(delay_seconds), MAX_DELAY_SECONDS) }),
        }),
      );
    },
    async countWaiting() {
      const { sdk, client } = await sqs();
      const { Attributes } = await client.send(
        new sdk.GetQueueAttributesCommand({
          QueueUrl: queueUrl,
          AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesDelayed"],
        }),
      );
      return (
        Number(Attributes?.ApproximateNumberOfMessages ?? 0) +
        Number(Attributes?.ApproximateNumberOfMessagesDelayed ?? 0)
      );
    },
  };
}

const GROUP_ALPHABET = /[^A-Za-z0-9!"#$%&'()*+,\-./:;<=>?@[\\\]^_`{|}~]/g;
const GROUP_LENGTH = 128;

/** The group's name in the characters and the length that SQS accepts. */
function groupOf(userId: string | null): string {
  const name = (userId ?? "").replace(GROUP_ALPHABET, "_").slice(0, GROUP_LENGTH);
  return name === "" ? "nobody" : name;
}

export type QueueSwitch = { readonly QUEUE_ENABLED: "true" | "false" };

/** @throws ServiceError QUEUE_DISABLED where background runs are switched off */
export function requireQueue(settings: QueueSwitch): void {
  if (settings.QUEUE_ENABLED === "true") return;
  throw new ServiceError("QUEUE_DISABLED", "the durable job queue is not enabled on this platform");
}

/** Sends the message that wakes a worker for a job. @param delay_seconds  how long until the job may be claimed */
export const wakeWorker = (
  { queue, log }: { readonly queue: RunQueue; readonly log: Pick<Log, "warn"> },
  { id, user_id }: { readonly id: string; readonly user_id: string | null },
  delay_seconds?: number,
): Promise<void> => {
  const wakeup = { job_id: id, user_id, ...(delay_seconds !== undefined && { delay_seconds }) };
  return sendWakeUp({ queue: { send: (message) => queue.send(message) }, log }, wakeup, { job_id: id });
};
