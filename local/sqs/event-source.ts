import * as v from "valibot";
import type { LambdaHost } from "../lambda/lambda-host.ts";
import { region } from "../template/names.ts";
import type { EventSourceModel } from "../template/queues.ts";
import { oneMoreMs, pollerRamp } from "./poller-ramp.ts";
import type { Queue, Sqs } from "./sqs.ts";

type Received = ReturnType<Queue["dequeue"]>[number];

/** Pause before the next delivery to a function that could not be started. */
const pauseAfterBadStartMs = 1000;
const longPollSeconds = 20;

/**
 * Feeds a function from a queue as AWS's event source mapping does.
 *
 *   message ready ─→ delivery waits for a thread ─→ receives a batch ─→ function ─┬→ succeeded: deleted
 *                    (received only now, so that the batch grows)                 └→ failed: visible again after its
 *                                                                                    visibility timeout, or redriven
 * @returns a function that stops it: no further batch is received
 */
export function startEventSource(model: EventSourceModel, sqs: Sqs, lambda: LambdaHost): () => void {
  const queue = sqs.queue(model.queueName);
  let stopped = false;
  let running = 0;
  let waiting = 0;
  let pausedUntil = 0;
  let windowTimer: NodeJS.Timeout | undefined;
  let rampTimer: NodeJS.Timeout | undefined;
  const { pace = 1 } = lambda.strict ?? {};
  const ramp = lambda.strict && !model.isProvisioned ? pollerRamp(pace) : () => Number.POSITIVE_INFINITY;

  const pump = (): void => {
    if (Date.now() < pausedUntil) return;
    // Computed in every iteration: if a thread is idle, deliver() removes its batch from the queue synchronously.
    const batches = () => Math.ceil(readyCount(queue) / model.batchSize);
    const most = Math.min(model.maximumConcurrency, ramp(Date.now(), batches() + running > 0));
    while (!stopped && waiting < batches() && running + waiting < most) void deliver();
    if (most < model.maximumConcurrency && waiting < batches()) growLater();
  };

  const growLater = (): void => {
    if (stopped) return;
    rampTimer ??= setTimeout(() => {
      rampTimer = undefined;
      pump();
    }, oneMoreMs(pace));
  };

  const deliver = async (): Promise<void> => {
    waiting++;
    let started = false;
    let batch: Received[] = [];
    const outcome = await lambda.invoke(model.function, {
      event: () => {
        started = true;
        waiting--;
        batch = stopped ? [] : queue.dequeue(model.batchSize, undefined, (arn) => sqs.queueByArn(arn));
        if (batch.length === 0) return undefined;
        running++;
        return JSON.stringify({ Records: batch.map((message) => recordOf(message, queue)) });
      },
    });
    if (!started) {
      waiting--;
      pausedUntil = Date.now() + pauseAfterBadStartMs;
    }
    if (batch.length === 0) return;
    running--;
    const failed = outcome?.ok ? failedMessages(outcome.payload, batch, model.reportsFailures) : batch;
    for (const message of batch) if (!failed.includes(message)) queue.deleteMessage(message.ReceiptHandle);
    deliverReady();
  };

  /** Delivers a full batch now, and the rest when the mapping's batching window has passed. */
  const deliverReady = (): void => {
    if (model.windowMs === 0 || readyCount(queue) >= model.batchSize) pump();
    if (model.windowMs === 0 || readyCount(queue) === 0) return;
    windowTimer ??= setTimeout(() => {
      windowTimer = undefined;
      pump();
    }, model.windowMs);
  };

  const poll = async (): Promise<void> => {
    while (!stopped) {
      deliverReady();
      await queue.waitForMessages(longPollSeconds);
    }
  };
  void poll();
  return () => {
    stopped = true;
    clearTimeout(windowTimer);
    clearTimeout(rampTimer);
    queue.cancelWaiters();
  };
}

/** Number of messages that can be received now. In a FIFO queue that is one per group without messages in flight. */
function readyCount(queue: Queue): number {
  if (!queue.isFifo()) return queue.messages.length;
  const groups = [...queue.fifoMessages].filter(([group]) => !queue.fifoLockedGroups.has(group));
  return groups.filter(([, messages]) => messages.length > 0).length;
}

const BatchResponse = v.object({
  batchItemFailures: v.array(v.object({ itemIdentifier: v.pipe(v.string(), v.minLength(1)) })),
});

/**
 * The messages that the function reports as failed.
 *
 * @source Lambda developer guide, partial batch responses: nothing or an empty list is success; a response that
 *         is malformed, or names a message that was not in the batch, fails the whole batch
 */
function failedMessages(payload: string, batch: Received[], reportsFailures: boolean): Received[] {
  const response: unknown = JSON.parse(payload);
  if (!reportsFailures || response === null) return [];
  const listed =
    typeof response === "object" && "batchItemFailures" in response && response.batchItemFailures !== null;
  if (!listed) return [];
  const parsed = v.safeParse(BatchResponse, response);
  if (!parsed.success) return batch;
  const ids = parsed.output.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  const failed = batch.filter(({ MessageId }) => ids.includes(MessageId));
  return ids.every((id) => failed.some(({ MessageId }) => MessageId === id)) ? failed : batch;
}

function recordOf(message: Received, queue: Queue): object {
  const stored = queue.inflightMessages.get(message.ReceiptHandle)?.message;
  return {
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: {
      ApproximateReceiveCount: String(stored?.approximateReceiveCount ?? 1),
      SentTimestamp: String(stored?.sentTimestamp ?? 0),
      SenderId: "000000000000",
      ApproximateFirstReceiveTimestamp: String(stored?.approximateFirstReceiveTimestamp ?? 0),
      ...(stored?.messageGroupId && { MessageGroupId: stored.messageGroupId }),
    },
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(
        ([name, { DataType, StringValue, BinaryValue }]) => [
          name,
          {
            dataType: DataType,
            stringValue: StringValue,
            binaryValue: BinaryValue,
            stringListValues: [],
            binaryListValues: [],
          },
        ],
      ),
    ),
    md5OfBody: message.MD5OfBody,
    eventSource: "aws:sqs",
    eventSourceARN: queue.arn,
    awsRegion: region,
  };
}
