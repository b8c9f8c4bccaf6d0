import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGuardedChats } from "../../flows/guarded/chats.ts";
import type { Carries, GuardedWay } from "../../flows/guarded/way.ts";
import { bodies, guardedWays } from "../../flows/guarded-ways.ts";
import { type Client, clientOf } from "../../support/client.ts";
import { REFUSAL } from "../../support/guard-registry/index.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { specialRegistry } from "../../support/test-registry.ts";

/** Every way on which words of a person or a client reach a model: a guard of the input refuses them on each. */
let platform: TestPlatform;
let admin: Client;
let chats: Awaited<ReturnType<typeof startGuardedChats>>;
beforeAll(async () => {
  chats = await startGuardedChats();
  platform = await startPlatform({
    registry: specialRegistry,
    without: ["knowledge-worker"],
    env: { ...chats.env, AGUI_COMPONENT: "agents/guarded" },
  });
  chats.serve(platform.url);
  admin = clientOf(platform.url, platform.adminToken);
});
afterAll(async () => {
  await platform?.stop();
  await chats?.stop();
});

const rows = Object.entries(guardedWays).flatMap(([operation, carried]): [string, string, Carries][] =>
  "fields" in carried
    ? Object.entries(carried.fields).map(([field, carries]) => [operation, field, carries])
    : [[operation, "the body", carried]],
);
const ways = rows.filter((row): row is [string, string, GuardedWay] => typeof row[2] === "function");

describe("the table of ways", () => {
  test("has every operation that takes a body", () => {
    expect(bodies().flatMap(([operation]) => (operation in guardedWays ? [] : [operation]))).toEqual([]);
  });

  test("has every field of those that begin or continue a run", () => {
    const missing = bodies().flatMap(([operation, fields]) => {
      const carried = guardedWays[operation];
      if (!carried || !("fields" in carried)) return [];
      const isIn = (field: string) =>
        [field, field.split(".")[0] ?? ""].some((name) => name in carried.fields);
      return fields.filter((field) => !isIn(field)).map((field) => `${operation}: ${field}`);
    });
    expect(missing).toEqual([]);
  });
});

describe.each(ways)("%s, %s", (_operation, _field, way) => {
  test("lets through what a guard accepts", async () => {
    expect(await way(admin, "a harmless word")).not.toContain(REFUSAL);
  });

  test("is closed for what a guard refuses", async () => {
    const answer = await way(admin, "card 4111 1111 1111 1111");
    expect(answer).toContain(REFUSAL);
    expect(answer).not.toContain("You said: card 4111");
    expect(answer).not.toContain("noted card 4111");
  });
});
