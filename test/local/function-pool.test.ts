import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Cloud } from "../../local/cloud.ts";
import { fixtureCloud, temporaryFolder, until } from "./fixture-cloud.ts";

const busy = `
import { threadId } from "node:worker_threads";
let served = 0;
export const handler = async (event, context) => {
  const kind = event.rawPath?.split("/")[2];
  served++;
  if (kind === "wait") await new Promise((resolve) => setTimeout(resolve, 300));
  if (kind === "log") console.error("something is wrong");
  return { threadId, served, name: context.functionName, id: context.awsRequestId, env: process.env, at: event.at };
};`;
const waiting = `
import { existsSync } from "node:fs";
while (!existsSync(process.env.GATE)) await new Promise((resolve) => setTimeout(resolve, 10));
export const handler = () => ({ statusCode: 200 });`;
const folder = temporaryFolder();
const gate = join(folder, "gate");
let cloud: Cloud & { readonly lines: string[] };
beforeAll(async () => {
  cloud = await fixtureCloud({
    functions: {
      busy: { code: busy, environment: { OWN: "busy" } },
      other: { code: busy, environment: { OWN: "other" } },
      swapped: { code: busy, environment: { OWN: "swapped" } },
      unused: { code: busy },
      broken: { code: `throw new Error("cannot load");` },
      late: { code: waiting, timeoutSeconds: 30, environment: { GATE: gate } },
      never: { code: waiting, timeoutSeconds: 1, environment: { GATE: join(folder, "other") } },
    },
    routes: {
      "GET /busy/{kind}": "busy",
      "GET /other/{kind}": "other",
      "GET /swapped/{kind}": "swapped",
      "GET /unused/{kind}": "unused",
      "GET /broken/{kind}": "broken",
      "GET /late/{kind}": "late",
      "GET /never/{kind}": "never",
    },
    concurrency: 3,
    perThread: 1,
    initMs: 1000,
  });
});
afterAll(async () => {
  await cloud.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Served = { threadId: number; served: number; name: string; id: string; env: Record<string, string> };
async function ask(path: string): Promise<Served> {
  return JSON.parse(await (await fetch(cloud.url + path)).text());
}

test("one request after the other is served by the same instance", async () => {
  const first = await ask("/busy/quick");
  const second = await ask("/busy/quick");
  expect(second).toMatchObject({ threadId: first.threadId, served: first.served + 1 });
  expect(second.id).not.toBe(first.id);
});

test("requests side by side have an instance each, up to the cap; the others wait", async () => {
  // On a machine without a processor to spare the first round may be over before the third instance has started.
  await expect
    .poll(async () => {
      const served = await Promise.all(Array.from({ length: 8 }, () => ask("/busy/wait")));
      return new Set(served.map(({ threadId }) => threadId)).size;
    })
    .toBe(3);
  expect(cloud.lambda.threads("fixture-busy")).toBe(3);
});

test("each function has an environment and an access key of its own", async () => {
  const [busyOne, other] = await Promise.all([ask("/busy/x"), ask("/other/x")]);
  expect(busyOne.env.OWN).toBe("busy");
  expect(other.env.OWN).toBe("other");
  expect(busyOne.env.AWS_LAMBDA_FUNCTION_NAME).toBe("fixture-busy");
  expect(busyOne.env.AWS_ACCESS_KEY_ID).not.toBe(other.env.AWS_ACCESS_KEY_ID);
  expect(busyOne.env.HOME).toBeUndefined();
});

const failures = () =>
  cloud.lines.flatMap((line) => {
    const { message, error_type, error_text, at, function_name } = JSON.parse(
      /^\[\w+\] (\{.*)/.exec(line)?.[1] ?? "{}",
    );
    return message ? [{ message, error_type, error_text, at, function_name }] : [];
  });

test("a bundle that cannot be loaded is a 500, again and again, and the log says why", async () => {
  for (const _ of [1, 2]) expect((await fetch(`${cloud.url}/broken/x`)).status).toBe(500);
  await until(() => failures().some(({ function_name }) => function_name === "broken"));
  expect(failures()).toContainEqual({
    message: "the function did not start",
    function_name: "broken",
    ...{ error_type: "Error", error_text: "cannot load" },
    at: expect.arrayContaining([expect.stringContaining("index.mjs:1:7")]),
  });
});

test("a function that does not load in time is loaded once more, in the time of its invocation", async () => {
  const answered = fetch(`${cloud.url}/late/x`);
  await until(() => failures().some(({ error_type }) => error_type === "Init.Timeout"));
  writeFileSync(gate, "");
  expect((await answered).status).toBe(200);
});

test("one that does not load in that time either fails, and the log says that it timed out", async () => {
  expect((await fetch(`${cloud.url}/never/x`)).status).toBe(500);
  await until(() => failures().some(({ error_type }) => error_type === "Sandbox.Timedout"));
  expect(failures().filter(({ function_name }) => function_name === "never")).toMatchObject([
    { error_type: "Init.Timeout", error_text: "Init timed out" },
    { error_type: "Sandbox.Timedout", error_text: "Task timed out after 1.00 seconds" },
  ]);
});

test("what a function writes is shown with its name", async () => {
  await ask("/busy/log");
  await until(() => cloud.lines.includes("[busy] something is wrong"));
});

describe("when a function's code is replaced", () => {
  const replace = (name: string, code: string) => {
    const file = cloud.model.functions.find((model) => model.name === `fixture-${name}`)?.file ?? "";
    const by = join(dirname(file), "replaced.mjs");
    writeFileSync(by, code);
    return cloud.lambda.replace(file, by);
  };
  const answering = (word: string): string => `export const handler = () => ({ word: "${word}" });`;

  test("what is executing ends with the old, what comes next gets the new, and no old instance stays", async () => {
    await ask("/swapped/quick");
    const before = cloud.lambda.usedAt("fixture-swapped");
    const executing = ask("/swapped/wait");
    await until(() => cloud.lambda.usedAt("fixture-swapped") > before);
    expect(await replace("swapped", answering("new"))).toBeUndefined();
    expect(await ask("/swapped/quick")).toEqual({ word: "new" });
    expect((await executing).env.OWN).toBe("swapped");
    await until(() => cloud.lambda.threads("fixture-swapped") === 1);
    expect(await ask("/swapped/quick")).toEqual({ word: "new" });
  });

  test("code that does not load is reported, and the old continues", async () => {
    const before = await ask("/other/quick");
    expect(await replace("other", "export const handler = missing;")).toMatchObject({
      errorType: "ReferenceError",
      errorMessage: "missing is not defined",
    });
    expect(await ask("/other/quick")).toMatchObject({ threadId: before.threadId });
  });

  test("a function that was not called yet gets the new code with its first call, not before", async () => {
    expect(await replace("unused", answering("new"))).toBeUndefined();
    expect(cloud.lambda.threads("fixture-unused")).toBe(0);
    expect(await ask("/unused/quick")).toEqual({ word: "new" });
  });
});
