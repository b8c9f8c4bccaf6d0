import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Cloud } from "../../../local/cloud.ts";
import { fixtureCloud, temporaryFolder, until } from "../../local/fixture-cloud.ts";
import { readCompleteLines } from "../../support/complete-lines.ts";

/**
 * Records each batch when it starts and when it ends. A message's body says how it goes: `fail` is reported as
 * failed, `throw` throws, `sleep` holds the batch for a while, `garbage` answers nonsense.
 */
const consumer = `
import { appendFileSync } from "node:fs";
const note = (what, bodies, more) => appendFileSync(process.env.NOTES, JSON.stringify({ what, bodies, at: Date.now(), ...more }) + "\\n");
export const handler = async (event) => {
  const bodies = event.Records.map((record) => record.body.split(" ")[0]);
  note("start", bodies, { takenAt: Number(event.Records[0].attributes.ApproximateFirstReceiveTimestamp) });
  if (event.Records[0].body.includes("keep")) appendFileSync(process.env.NOTES + ".record", JSON.stringify(event.Records[0]));
  if (bodies.includes("sleep")) await new Promise((resolve) => setTimeout(resolve, 150));
  note("end", bodies);
  if (bodies.includes("throw")) throw new Error("the whole batch");
  if (bodies.includes("garbage")) return { batchItemFailures: [{ itemIdentifier: "unknown" }] };
  return { batchItemFailures: event.Records.filter((record) => record.body.startsWith("fail")).map((record) => ({ itemIdentifier: record.messageId })) };
};`;

type Note = {
  what: "start" | "end";
  bodies: string[];
  at: number;
  /** When the queue gave the first message of the batch away for the first time, on the notes of starts. */
  takenAt: number;
};

let stop: (() => Promise<void>) | undefined;
afterEach(async () => {
  await stop?.();
  stop = undefined;
});

async function consuming(
  mapping: Record<string, unknown> = {},
  options: { visibilitySeconds?: number; dataDir?: string } = {},
) {
  const folder = temporaryFolder();
  const file = join(folder, "notes");
  const cloud = await fixtureCloud({
    functions: { consumer: { code: consumer, environment: { NOTES: file } } },
    resources: {
      Dead: { Type: "AWS::SQS::Queue" },
      Mail: {
        Type: "AWS::SQS::Queue",
        Properties: {
          VisibilityTimeout: options.visibilitySeconds ?? 1,
          RedrivePolicy: { deadLetterTargetArn: { "Fn::GetAtt": ["Dead", "Arn"] }, maxReceiveCount: 2 },
        },
      },
      Mapping: {
        Type: "AWS::Lambda::EventSourceMapping",
        Properties: {
          EventSourceArn: { "Fn::GetAtt": ["Mail", "Arn"] },
          FunctionName: { Ref: "consumer" },
          FunctionResponseTypes: ["ReportBatchItemFailures"],
          ...mapping,
        },
      },
    },
    ...(options.dataDir !== undefined && { dataDir: options.dataDir }),
  });
  stop = async () => {
    await cloud.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const notes = (): Note[] => readCompleteLines(file).map((line): Note => JSON.parse(line));
  return { cloud, notes, started: () => notes().filter(({ what }) => what === "start"), file };
}

async function send(cloud: Cloud, ...bodies: string[]): Promise<void> {
  for (const MessageBody of bodies) {
    const QueueUrl = "http://any/000000000000/fixture-Mail";
    const { status } = await cloud.sqs.answer(
      "AmazonSQS.SendMessage",
      JSON.stringify({ QueueUrl, MessageBody }),
    );
    expect(status).toBe(200);
  }
}

const left = (cloud: Cloud, queue = "fixture-Mail"): number => {
  const { messages, inflightMessages } = cloud.sqs.queue(queue);
  return messages.length + inflightMessages.size;
};

describe("an event source", () => {
  test("deletes what the function has worked off", async () => {
    const { cloud, started } = await consuming();
    await send(cloud, "a", "b");
    await until(() => left(cloud) === 0);
    expect(
      started()
        .flatMap(({ bodies }) => bodies)
        .sort(),
    ).toEqual(["a", "b"]);
  });

  test("hands over records in the shape of SQS", async () => {
    const { cloud, file } = await consuming();
    await send(cloud, "a keep");
    await until(() => left(cloud) === 0);
    expect(JSON.parse(readFileSync(`${file}.record`, "utf8"))).toMatchObject({
      messageId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      receiptHandle: expect.any(String),
      body: "a keep",
      attributes: { ApproximateReceiveCount: "1", SentTimestamp: expect.stringMatching(/^\d{13}$/) },
      md5OfBody: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventSource: "aws:sqs",
      eventSourceARN: "arn:aws:sqs:us-east-1:000000000000:fixture-Mail",
      awsRegion: "us-east-1",
    });
  });

  test("fills batches while the function is busy, up to the batch size", async () => {
    const { cloud, started } = await consuming({ BatchSize: 4, ScalingConfig: { MaximumConcurrency: 2 } });
    await send(cloud, "sleep");
    await until(() => started().length === 1);
    await send(cloud, ...Array.from({ length: 20 }, () => "sleep"));
    await until(() => left(cloud) === 0);
    const sizes = started().map(({ bodies }) => bodies.length);
    expect(Math.max(...sizes)).toBe(4);
  });

  test("never runs more than its maximum concurrency side by side", async () => {
    const { cloud, notes } = await consuming({ BatchSize: 1, ScalingConfig: { MaximumConcurrency: 2 } });
    await send(cloud, ...Array.from({ length: 12 }, () => "sleep"));
    await until(() => left(cloud) === 0);
    let running = 0;
    const seen = notes().map(({ what }) => {
      running += what === "start" ? 1 : -1;
      return running;
    });
    expect(Math.max(...seen)).toBe(2);
  });

  test("brings back only the messages that the function reports, after their visibility timeout", async () => {
    const { cloud, started } = await consuming({ BatchSize: 10, MaximumBatchingWindowInSeconds: 1 });
    await send(cloud, "a", "fail", "b");
    await until(() => started().length >= 2);
    const [first, second] = started();
    expect(first?.bodies.sort()).toEqual(["a", "b", "fail"]);
    expect(second?.bodies).toEqual(["fail"]);
    // Their time runs from the moment they left the queue, a while before the function has started.
    expect((second?.at ?? 0) - (first?.takenAt ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  test.each(["throw", "garbage"])(
    "brings back the whole batch when the function answers with %s",
    async (kind) => {
      const { cloud, started } = await consuming({ MaximumBatchingWindowInSeconds: 1 });
      await send(cloud, "a", kind);
      await until(
        () =>
          started()
            .flatMap(({ bodies }) => bodies)
            .filter((body) => body === "a").length === 2,
      );
    },
  );

  test("leaves a message that keeps failing to the dead-letter queue, with its body", async () => {
    const { cloud, started } = await consuming();
    await send(cloud, "fail");
    await until(() => left(cloud, "fixture-Dead") === 1);
    expect(left(cloud)).toBe(0);
    expect(started()).toHaveLength(2);
    expect(cloud.sqs.queue("fixture-Dead").messages[0]?.body).toBe("fail");
  });

  test("hands a message to an idle function at once, without waiting for a look at the queue", async () => {
    const { cloud, started } = await consuming();
    await send(cloud, "warm");
    await until(() => left(cloud) === 0);
    await send(cloud, "a");
    expect(cloud.sqs.queue("fixture-Mail").messages).toEqual([]);
    await until(() => started().length === 2);
  });

  test("finds after a restart what was sent before", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const before = await consuming({ Enabled: true }, { visibilitySeconds: 60, dataDir });
    await before.cloud.lambda.end();
    await send(before.cloud, "kept");
    await stop?.();
    const after = await consuming({}, { visibilitySeconds: 60, dataDir });
    await until(() => after.started().length === 1);
    expect(after.started()[0]?.bodies).toEqual(["kept"]);
    rmSync(dataDir, { recursive: true, force: true });
  });
});
