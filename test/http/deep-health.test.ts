import { describe, expect, test } from "vitest";
import { createDeepHealth, type Part } from "../../functions/platform/deep-health.ts";
import { getHealth } from "../../functions/platform/get-health.ts";
import { anonymous } from "../../shared/auth/principal.ts";

describe("the parts of a platform", () => {
  const asked: string[] = [];
  const part = (name: string, answer: () => boolean): Part => ({
    name,
    answers: async () => {
      asked.push(name);
      return answer();
    },
  });
  let now = 0;
  let isQueueThere = false;
  const faults: string[] = [];
  const health = createDeepHealth({
    connect: async () => [
      part("table jobs", () => true),
      part("queue", () => isQueueThere),
      part("authorizer", () => {
        throw new Error("no right");
      }),
    ],
    now: () => now,
    onFault: (name) => void faults.push(name),
  });

  test("are named where they do not answer, and are asked once in five seconds, however many requests ask", async () => {
    const all = await Promise.all([health(), health(), health()]);
    expect(all).toEqual(Array.from({ length: 3 }, () => ["queue", "authorizer"]));
    now = 4_999;
    isQueueThere = true;
    expect(await health()).toEqual(["queue", "authorizer"]);
    expect(asked).toEqual(["table jobs", "queue", "authorizer"]);
    expect(faults).toEqual(["authorizer"]);
    now = 5_000;
    expect(await health()).toEqual(["authorizer"]);
  });
});

test("a part that does not answer makes 503 of the deep check alone, by its name", async () => {
  const deps = {
    osId: "os",
    version: "1",
    instantiated_at: "2026-11-24T00:00:00.000Z",
    served: {},
    registry: { agents: [], teams: [], workflows: [] },
    deepHealth: async () => ["authorizer", "table traces"],
  };
  const ask = (deep?: boolean) =>
    getHealth(
      {
        params: {},
        query: { deep },
        body: undefined,
        headers: {},
        principal: anonymous,
        signal: new AbortController().signal,
        invocation: {},
      },
      deps,
    );
  expect(await ask()).toMatchObject({ status: "ok" });
  await expect(ask(true)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "No answer from: authorizer, table traces",
  });
});
