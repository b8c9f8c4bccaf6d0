import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Cloud } from "../../../local/cloud.ts";
import { lambdaConcurrency } from "../../../local/lambda/lambda-concurrency.ts";
import {
  type Fixture,
  fixtureCloud,
  installed,
  originAt,
  streamingUrl,
  temporaryFolder,
  until,
} from "../../local/fixture-cloud.ts";

/** `/task/<what>/<milliseconds>` */
const work = `
import { writeFileSync } from "node:fs";
import { threadId } from "node:worker_threads";
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let active = 0;
let most = 0;
export const handler = async (event, context) => {
  const [, , what, ms] = event.rawPath.split("/");
  most = Math.max(most, ++active);
  try {
    if (what === "wait") await pause(Number(ms));
    if (what === "block") {
      writeFileSync(process.env.MARK, "");
      for (const end = Date.now() + Number(ms); Date.now() < end; );
    }
    if (what === "exit") process.exit(3);
    if (what === "throw-later") { setTimeout(() => { throw new Error("uncaught"); }, 10); await pause(1000); }
    return { threadId, most, id: context.awsRequestId };
  } finally {
    active--;
  }
};`;

type Served = { threadId: number; most: number; id: string };
const mark = join(temporaryFolder(), "mark");
let cloud: Cloud;
afterEach(() => cloud.stop());

async function start(options: Partial<Fixture> & { timeoutSeconds?: number } = {}): Promise<void> {
  const { timeoutSeconds = 10, ...fixture } = options;
  cloud = await fixtureCloud({
    functions: { work: { code: work, timeoutSeconds, environment: { MARK: mark } } },
    routes: { "GET /task/{what}/{ms}": "work" },
    perThread: 16,
    ...fixture,
  });
}

const get = (path: string): Promise<Response> => fetch(cloud.url + path);
async function ask(path: string): Promise<Served> {
  const answer = await get(path);
  expect(answer.status).toBe(200);
  return JSON.parse(await answer.text());
}
const askMany = (count: number, path: string): Promise<Served[]> =>
  Promise.all(Array.from({ length: count }, () => ask(path)));
const threads = (): number => cloud.lambda.threads("fixture-work");

describe("how many invocations one thread serves at a time", () => {
  test("is sixteen", async () => {
    await start();
    const served = await askMany(16, "/task/wait/400");
    expect(new Set(served.map(({ threadId }) => threadId)).size).toBe(1);
    expect(new Set(served.map(({ id }) => id)).size).toBe(16);
    expect(Math.max(...served.map(({ most }) => most))).toBe(16);
  });

  test("is never more than is configured", async () => {
    await start({ perThread: 2, concurrency: 1 });
    const served = await askMany(6, "/task/wait/50");
    expect(Math.max(...served.map(({ most }) => most))).toBe(2);
    expect(threads()).toBe(1);
  });

  test("makes room for another thread when all are full", async () => {
    await start({ perThread: 2 });
    await expect
      .poll(async () => new Set((await askMany(4, "/task/wait/600")).map(({ threadId }) => threadId)).size)
      .toBe(2);
  });

  test("is one with LAMBDA_CONCURRENCY=1, as on Lambda by default", async () => {
    await start({ perThread: lambdaConcurrency({ LAMBDA_CONCURRENCY: "1" }), concurrency: 2 });
    const served = await askMany(4, "/task/wait/100");
    expect(served.map(({ most }) => most)).toEqual([1, 1, 1, 1]);
  });
});

describe("a thread that is blocked", () => {
  test("gives what it has not begun to another one, and goes on serving afterwards", async () => {
    await start();
    const { threadId } = await ask("/task/wait/0");
    let isBlocked = true;
    const blocking = ask("/task/block/4000").finally(() => {
      isBlocked = false;
    });
    await until(() => existsSync(mark));
    const served = await askMany(3, "/task/wait/0");
    expect(isBlocked).toBe(true);
    expect(served.every((one) => one.threadId !== threadId)).toBe(true);
    expect((await blocking).threadId).toBe(threadId);
    // It answers before it has notified the pool that it continues.
    await expect
      .poll(async () => (await askMany(8, "/task/wait/100")).map((one) => one.threadId))
      .toContain(threadId);
  });

  test("keeps what waits for it where no other may be started, and serves each of them once", async () => {
    await start({ concurrency: 1 });
    await ask("/task/wait/0");
    const blocking = ask("/task/block/800");
    const served = await askMany(5, "/task/wait/0");
    expect(new Set(served.map(({ id }) => id)).size).toBe(5);
    await blocking;
    expect(threads()).toBe(1);
  });
});

describe("a thread that has nothing to do", () => {
  test("ends after a while, and the next invocation starts another", async () => {
    await start({ perThread: 2, keptMs: { last: 1500, others: 200 } });
    await expect
      .poll(async () => {
        await askMany(4, "/task/wait/300");
        return threads();
      })
      .toBe(2);
    await until(() => threads() === 1);
    await until(() => threads() === 0);
    await ask("/task/wait/0");
    expect(threads()).toBe(1);
  });

  test("is not there before the first invocation", async () => {
    await start();
    expect(threads()).toBe(0);
  });
});

describe("an invocation that times out", () => {
  test("fails alone: those beside it end in their own time, then the thread does", async () => {
    await start({ timeoutSeconds: 1 });
    const { threadId } = await ask("/task/wait/0");
    const hanging = get("/task/wait/5000");
    await new Promise((resolve) => setTimeout(resolve, 500));
    const beside = ask("/task/wait/800");
    expect((await hanging).status).toBe(500);
    const next = await ask("/task/wait/0");
    expect(next.threadId).not.toBe(threadId);
    expect((await beside).threadId).toBe(threadId);
    await until(() => threads() === 1);
  });

  test("ends a thread that is blocked for good", async () => {
    await start({ timeoutSeconds: 1 });
    expect((await get("/task/block/60000")).status).toBe(500);
    await ask("/task/wait/0");
    await until(() => threads() === 1);
  });
});

describe("a thread that crashes", () => {
  test.each(["exit", "throw-later"])("by %s fails all that it was at, and no more", async (how) => {
    await start();
    const { threadId } = await ask("/task/wait/0");
    const beside = Array.from({ length: 3 }, () => get("/task/wait/2000"));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const crashing = get(`/task/${how}/0`);
    for (const answer of await Promise.all([...beside, crashing])) expect(answer.status).toBe(500);
    expect((await ask("/task/wait/0")).threadId).not.toBe(threadId);
    expect(threads()).toBe(1);
  });

  test("leaves to another one what it has not begun", async () => {
    // The message behind the crash is in the thread's queue already when it ends.
    await start({ concurrency: 1 });
    await ask("/task/wait/0");
    const blocking = get("/task/block/200");
    const crashing = get("/task/exit/0");
    const behind = ask("/task/wait/0");
    await Promise.all([blocking, crashing]);
    await behind;
  });
});

describe("invocations in one thread", () => {
  const streaming = `
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const handler = awslambda.streamifyResponse(async (event, responseStream, context) => {
  const who = event.rawPath.split("/")[1];
  await pause(10);
  const stream = awslambda.HttpResponseStream.from(responseStream, { statusCode: 200, headers: { "x-who": who } });
  for (let n = 0; n < 20 && !stream.destroyed; n++) { stream.write(who + " "); await pause(10); }
  stream.end();
});`;
  const url = {
    Url: streamingUrl("streaming"),
    Cdn: {
      Type: "AWS::CloudFront::Distribution",
      Properties: {
        DistributionConfig: {
          Origins: [originAt("url", "Url", "FunctionUrl")],
          DefaultCacheBehavior: { TargetOriginId: "url" },
        },
      },
    },
  };

  test("write each to its own stream, and one whose client leaves ends alone", async () => {
    await start({ functions: { streaming: { code: streaming } }, routes: {}, resources: url });
    await (await get("/warm")).text();
    const left = new AbortController();
    const leaving = await fetch(`${cloud.url}/leaving`, { signal: left.signal });
    const names = ["maria", "otto", "anna"];
    const answers = names.map(async (who) => {
      const answer = await get(`/${who}`);
      return { who: answer.headers.get("x-who"), text: await answer.text() };
    });
    await new Promise((resolve) => setTimeout(resolve, 60));
    left.abort();
    await expect(leaving.text()).rejects.toThrow();
    expect(await Promise.all(answers)).toEqual(
      names.map((who) => ({ who, text: Array.from({ length: 20 }, () => `${who} `).join("") })),
    );
    expect(cloud.lambda.threads("fixture-streaming")).toBe(1);
  });

  const calling = `
import { DynamoDBClient, PutItemCommand } from ${installed("@aws-sdk/client-dynamodb")};
const client = new DynamoDBClient();
export const handler = async (event) => {
  const calls = Number(event.rawPath.split("/")[2]);
  for (let n = 0; n < calls; n++)
    await client.send(new PutItemCommand({ TableName: process.env.TABLE, Item: { id: { S: String(n) } } }));
  return { calls };
};`;

  test("have their calls to AWS counted apart", async () => {
    const spent: Readonly<Record<string, number>>[] = [];
    await start({
      functions: {
        calling: {
          code: calling,
          environment: { TABLE: { Ref: "Table" } },
          allow: [{ actions: ["dynamodb:PutItem"], resource: { "Fn::GetAtt": ["Table", "Arn"] } }],
        },
      },
      routes: { "GET /calls/{n}": "calling" },
      resources: {
        Table: {
          Type: "AWS::DynamoDB::Table",
          Properties: {
            AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
            KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
          },
        },
      },
      invoked: (_, { calls }) => spent.push(calls),
    });
    await Promise.all([1, 3, 7].map(async (n) => (await get(`/calls/${n}`)).text()));
    const counts = spent.map((calls) => calls["dynamodb:PutItem"]);
    expect(counts.sort()).toEqual([1, 3, 7]);
    expect(cloud.lambda.threads("fixture-calling")).toBe(1);
  });
});
