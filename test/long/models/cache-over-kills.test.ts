import { afterAll, expect, test } from "vitest";
import { anthropicCache } from "../../support/hostile-model/anthropic-cache.ts";
import { useHostileModel } from "../../support/hostile-model/use-hostile-model.ts";
import { GRACE_SECONDS, restingPlaces, untilLocksAreStale } from "../../support/kill-campaign.ts";
import { type KillablePlatform, killablePlatform } from "../../support/killable-platform.ts";

const CALLS = 10;
/** The process is killed while this call of the model is under way, counted from 0. */
const KILLED_AT = new Set([5]);
const RESTS_WITHIN_MS = 90_000;
const TIMEOUT_MS = 240_000;

const hostile = useHostileModel();
let platform: KillablePlatform | undefined;
afterAll(() => platform?.end());

test(
  "over kill -9 a run reads over 80 % of its input from the cache all the same",
  async () => {
    const cache = anthropicCache();
    const name = "plan-cache-kills";
    const usages: { input: number; cacheRead: number; cacheWrite: number }[] = [];
    const dying: (() => void)[] = [];
    const deaths = [...KILLED_AT].map(() => new Promise<void>((resolve) => dying.push(resolve)));
    let answers = 0;
    hostile().plan(name, ({ body }, at) => {
      const counted = cache.count(body);
      usages.push(counted);
      const usage = { ...counted, output: 9 };
      if (KILLED_AT.has(at)) {
        dying.shift()?.();
        return { text: ["never"], usage, fails: { kind: "silence" } };
      }
      const number = answers++;
      const call = {
        id: `call-${number}`,
        name: "add_numbers",
        arguments: JSON.stringify({ a: number, b: 2 }),
      };
      return number < CALLS - 1 ? { calls: [call], usage } : { text: ["Done."], usage };
    });
    platform = await killablePlatform({
      MODEL: "anthropic:claude-hostile",
      MODEL_BASE_URL: `${hostile().url}/v1`,
      ANTHROPIC_API_KEY: "key-anthropic",
      LOCK_GRACE_SECONDS: String(GRACE_SECONDS),
      MAX_ATTEMPTS: "2",
    });
    await platform.start();
    const message = `${name} ${"Read all of it, and answer in the end. ".repeat(150)}`;
    const answer = await platform.maria.run(message, { background: "true" });
    expect(answer.status).toBe(202);
    for (const death of deaths) {
      await death;
      await platform.kill();
      await untilLocksAreStale(Date.now());
      await platform.start();
    }
    const [rested] = await restingPlaces(platform, [{ ...answer.json, message }], RESTS_WITHIN_MS);
    expect(rested).toMatchObject({ status: "COMPLETED", attempt: 2 });
    expect(usages).toHaveLength(CALLS + KILLED_AT.size);
    const read = usages.reduce((sum, { cacheRead }) => sum + cacheRead, 0);
    const all = usages.reduce(
      (sum, { input, cacheRead, cacheWrite }) => sum + input + cacheRead + cacheWrite,
      0,
    );
    expect(read / all).toBeGreaterThan(0.8);
  },
  TIMEOUT_MS,
);
