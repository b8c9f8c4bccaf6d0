import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSqs, type Sqs } from "../../local/sqs/sqs.ts";

const names = ["one", "two", "three"];
let sqs: Sqs;
let setsInterval: ReturnType<typeof vi.spyOn>;
beforeEach(async () => {
  setsInterval = vi.spyOn(globalThis, "setInterval");
  sqs = await openSqs();
  sqs.createQueues(
    names.map((name) => ({ name, arn: `arn:aws:sqs:us-east-1:000000000000:${name}`, attributes: {} })),
  );
});
afterEach(async () => {
  for (const name of names) sqs.queue(name).cancelWaiters();
  await sqs.stop();
  setsInterval.mockRestore();
});
const wait = (name: string) => sqs.queue(name).waitForMessages(20);
const send = (QueueUrl: string, more: object) =>
  sqs.answer("AmazonSQS.SendMessage", JSON.stringify({ QueueUrl, MessageBody: "hello", ...more }));

test("one timer looks at all queues that are waited for", () => {
  for (const name of names) void wait(name);
  expect(setsInterval).toHaveBeenCalledTimes(1);
});

test("a message is reported at once, and one with a delay when that has passed", async () => {
  const url = sqs.queue("two").url;
  const received = wait("two");
  expect((await send(url, {})).status).toBe(200);
  await received;
  expect(sqs.queue("two").messages).toHaveLength(1);
  sqs.queue("two").purge();
  const from = Date.now();
  const receivedLater = wait("two");
  await send(url, { DelaySeconds: 1 });
  expect(sqs.queue("two").messages).toHaveLength(0);
  await receivedLater;
  expect(Date.now() - from).toBeGreaterThanOrEqual(1_000);
  expect(sqs.queue("two").messages).toHaveLength(1);
});

test("refusals have the form of the service", async () => {
  const unknownQueue = await send("http://localhost/000000000000/four", {});
  expect(unknownQueue).toMatchObject({
    status: 400,
    headers: { "x-amzn-query-error": expect.stringContaining("NonExistentQueue;Sender") },
  });
  expect(JSON.parse(unknownQueue.body)).toMatchObject({
    __type: expect.stringContaining("QueueDoesNotExist"),
  });
  const unknownOperation = await sqs.answer("AmazonSQS.CreateQueue", JSON.stringify({ QueueName: "four" }));
  expect(unknownOperation.status).toBe(400);
  expect(() => sqs.queue("four")).toThrow("There is no queue named four.");
});
