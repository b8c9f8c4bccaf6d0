import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Cloud } from "../../local/cloud.ts";
import { strictness } from "../../local/lambda/strict.ts";
import { oneMoreMs, pollerRamp } from "../../local/sqs/poller-ramp.ts";
import { fixtureCloud, installed, temporaryFolder, until } from "./fixture-cloud.ts";

/** Notes what it is asked; `{ "fail": true }` fails, `{ "hold": "file" }` lasts until the file is there. */
const noting = `
import { appendFileSync, existsSync } from "node:fs";
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const handler = async (event) => {
  appendFileSync(process.env.NOTES, JSON.stringify(event) + "\\n");
  while (event.hold && !existsSync(event.hold)) await pause(5);
  if (event.fail) throw new Error("as asked");
  return "done";
};`;

/** Leaves work behind when it answers. */
const leaving = `
import { appendFileSync } from "node:fs";
export const handler = async () => {
  setTimeout(() => appendFileSync(process.env.NOTES, "left behind\\n"), 20);
  return "done";
};`;

/** Calls Lambda as the platform's functions do. */
const calling = `
import { InvokeCommand, LambdaClient } from ${installed("@aws-sdk/client-lambda")};
const client = new LambdaClient({ maxAttempts: 1 });
export const handler = async ({ event, type }) => {
  try {
    const answer = await client.send(new InvokeCommand({
      FunctionName: process.env.TARGET, InvocationType: type, Payload: JSON.stringify(event),
    }));
    return { status: answer.StatusCode };
  } catch (error) {
    return { status: error.$metadata?.httpStatusCode, name: error.name, reason: error.Reason };
  }
};`;

const folder = temporaryFolder();
const notes = join(folder, "notes");
const noted = (text: string): number =>
  existsSync(notes)
    ? readFileSync(notes, "utf8")
        .split("\n")
        .filter((line) => line.includes(text)).length
    : 0;

let cloud: Cloud;
beforeAll(async () => {
  cloud = await fixtureCloud({
    functions: {
      noting: { code: noting, environment: { NOTES: notes } },
      leaving: { code: leaving, environment: { NOTES: notes } },
      calling: {
        code: calling,
        environment: { TARGET: { Ref: "noting" } },
        allow: [{ actions: ["lambda:InvokeFunction"], resource: { "Fn::GetAtt": ["noting", "Arn"] } }],
      },
    },
    // A minute is 20 ms.
    strict: { accountConcurrency: 2, pace: 3000 },
  });
});
afterAll(async () => {
  await cloud?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function invoke(label: string, event: object = {}): Promise<unknown> {
  const model = cloud.model.functions.find((fn) => fn.label === label);
  if (!model) throw new Error(`there is no ${label}`);
  const outcome = await cloud.lambda.invoke(model, { event: () => JSON.stringify(event) });
  if (!outcome?.ok) throw new Error(outcome?.error.errorMessage);
  return JSON.parse(outcome.payload);
}

test("an asynchronous invocation that fails is tried twice more", async () => {
  expect(await invoke("calling", { type: "Event", event: { fail: true, is: "failing" } })).toEqual({
    status: 202,
  });
  await until(() => noted("failing") === 3);
  expect(await invoke("noting", { is: "fine" })).toBe("done");
  expect(noted("failing")).toBe(3);
});

test("beyond the account's concurrency an invocation is refused, and an asynchronous one waits for room", async () => {
  const hold = join(folder, "go on");
  const held = invoke("noting", { hold, is: "holding" });
  await until(() => noted("holding") === 1);
  // The caller is the second one, if it is not refused itself; what it calls would be the third.
  const third = { type: "RequestResponse", event: { is: "third" } };
  await expect
    .poll(() => invoke("calling", third).catch(() => undefined))
    .toEqual({
      status: 429,
      name: "TooManyRequestsException",
      reason: "ConcurrentInvocationLimitExceeded",
    });
  expect(noted("third")).toBe(0);
  expect(await invoke("calling", { type: "Event", event: { is: "later" } })).toEqual({ status: 202 });
  await until(() => noted("later") === 1);
  writeFileSync(hold, "");
  expect(await held).toBe("done");
});

test("what an invocation leaves undone stands still until the next one", async () => {
  expect(await invoke("leaving")).toBe("done");
  await pause(80);
  expect(noted("left behind")).toBe(0);
  expect(await invoke("leaving")).toBe("done");
  expect(noted("left behind")).toBe(1);
});

test("a queue has five batches under way at first, and 300 more each minute while messages wait", () => {
  const ramp = pollerRamp(1);
  expect(ramp(1_000, false)).toBe(5);
  expect(ramp(2_000, true)).toBe(5);
  expect(ramp(2_000 + oneMoreMs(1), true)).toBe(6);
  expect(ramp(62_000, true)).toBe(305);
  expect(ramp(1_000_000, true)).toBe(1250);
  expect(ramp(1_000_001, false)).toBe(5);
  expect(ramp(1_000_002, true)).toBe(5);
});

test.each([
  [{}, undefined],
  [{ LOCAL_AWS: "" }, undefined],
  [{ LOCAL_AWS: "strict" }, { accountConcurrency: 1000, pace: 1 }],
  [
    { LOCAL_AWS: "strict", LOCAL_AWS_CONCURRENCY: "10", LOCAL_AWS_PACE: "60" },
    { accountConcurrency: 10, pace: 60 },
  ],
])("%j is read", (environment, expected) => {
  expect(strictness(environment)).toEqual(expected);
});

test.each([
  [{ LOCAL_AWS: "loose" }, /LOCAL_AWS is "loose"/],
  [{ LOCAL_AWS: "strict", LOCAL_AWS_PACE: "0" }, /LOCAL_AWS_PACE is "0"/],
  [{ LOCAL_AWS: "strict", LOCAL_AWS_CONCURRENCY: "many" }, /LOCAL_AWS_CONCURRENCY is "many"/],
])("%j is refused", (environment, problem) => {
  expect(() => strictness(environment)).toThrow(problem);
});
