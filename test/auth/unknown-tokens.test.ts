import { expect, test } from "vitest";
import type { AccessStore } from "../../shared/auth/access-store.ts";
import { createIdentifyServiceAccount } from "../../shared/auth/identify/identify-service-account.ts";
import { hashOfToken, newServiceAccountToken } from "../../shared/auth/identify/service-account-token.ts";
import { manualClock } from "../support/manual-clock.ts";

const HOUR = 3_600;

/** A limit of three unknown tokens a minute, and what the store is asked. */
function limited(unauthenticatedPerMinute = 3) {
  const clock = manualClock(1_000_000_000);
  const valid = newServiceAccountToken();
  const asked: string[] = [];
  const store: AccessStore = {
    async findToken(hash) {
      asked.push("findToken");
      if (hash !== hashOfToken(valid)) return undefined;
      const valid_until = clock.now() / 1000 + HOUR;
      return { account_id: "id", name: "robot", scopes: [], valid_until };
    },
    findAppToken: async () => undefined,
    listTokens: async () => {
      asked.push("listTokens");
      return new Set([hashOfToken(valid)]);
    },
    recordUse: async () => undefined,
    countFailure: async (_address, now) => {
      asked.push("countFailure");
      return { count: 1, ends_at: now + 60 };
    },
    countRequests: async (_who, count, now) => ({ count, ends_at: now + 60 }),
  };
  const identify = createIdentifyServiceAccount({
    store: async () => store,
    cacheSeconds: 0,
    unauthenticatedPerMinute,
    adminScope: "platform:admin",
    now: clock.now,
    onFault: (cause) => {
      throw cause;
    },
  });
  const outcomes = async (tokens: readonly string[], address: string) =>
    (await Promise.all(tokens.map((token) => identify(token, address)))).map(({ outcome }) => outcome);
  return { clock, valid, asked, identify, outcomes };
}
const unknown = (count: number) => Array.from({ length: count }, newServiceAccountToken);

test("of unknown tokens from one address as many are looked up as a minute allows, and the others cost no read", async () => {
  const { asked, outcomes, identify, clock } = limited();
  const answers = await outcomes(unknown(50), "192.0.2.1");
  expect(answers.filter((outcome) => outcome === "unauthenticated")).toHaveLength(3);
  expect(answers.filter((outcome) => outcome === "throttled")).toHaveLength(47);
  expect(asked.filter((call) => call === "findToken")).toHaveLength(3);
  expect(await outcomes(unknown(1), "192.0.2.2")).toEqual(["unauthenticated"]);
  expect(await identify(newServiceAccountToken(), "192.0.2.1")).toMatchObject({ retry_after_seconds: 5 });
  expect(asked.filter((call) => call === "listTokens")).toHaveLength(1);
  clock.advance(60_000);
  expect(await outcomes(unknown(1), "192.0.2.1")).toEqual(["unauthenticated"]);
});

test("an account that was let in before is not affected, and does not count", async () => {
  const { valid, outcomes } = limited();
  expect(await outcomes(Array(3).fill(valid), "192.0.2.1")).toEqual(Array(3).fill("identified"));
  await outcomes(unknown(20), "192.0.2.1");
  expect(await outcomes([valid, ...unknown(1)], "192.0.2.1")).toEqual(["identified", "throttled"]);
});

test("a valid token that is new here passes while its address is over the limit, and a flood lists once in five seconds", async () => {
  const { valid, asked, outcomes, clock } = limited();
  await outcomes(unknown(20), "192.0.2.1");
  expect(await outcomes([valid, ...unknown(200)], "192.0.2.1")).toEqual([
    "identified",
    ...Array(200).fill("throttled"),
  ]);
  expect(asked.filter((call) => call === "findToken")).toHaveLength(4);
  expect(asked.filter((call) => call === "listTokens")).toHaveLength(1);
  clock.advance(5_000);
  await outcomes(unknown(100), "192.0.2.1");
  expect(asked.filter((call) => call === "listTokens")).toHaveLength(2);
});

test("0 sets no limit", async () => {
  const { outcomes } = limited(0);
  expect(await outcomes(unknown(200), "192.0.2.1")).toEqual(Array(200).fill("unauthenticated"));
});
