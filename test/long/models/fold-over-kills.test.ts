import { afterAll, expect, test } from "vitest";
import type { RunOutput } from "../../../shared/schemas/runs/run.ts";
import { useHostileModel } from "../../support/hostile-model/use-hostile-model.ts";
import { GRACE_SECONDS, restingPlaces, untilLocksAreStale } from "../../support/kill-campaign.ts";
import { type KillablePlatform, killablePlatform } from "../../support/killable-platform.ts";

const SPEC = "anthropic:claude-hostile";
const STEPS = 16;
const KILLS = 3;
const RESTS_WITHIN_MS = 90_000;
const TIMEOUT_MS = 300_000;

const hostile = useHostileModel();
let platform: KillablePlatform | undefined;
afterAll(() => platform?.end());

test(
  "over kill -9 before, within and after a summary there is one fold for each, and its summary was asked for twice at most",
  async () => {
    const name = "plan-fold-kills";
    let steps = 0;
    let summaries = 0;
    let died = 0;
    let dying = Promise.withResolvers<void>();
    const die = () => {
      died += 1;
      dying.resolve();
      return { text: ["never"], fails: { kind: "silence" } } as const;
    };
    hostile().plan(name, ({ body }) => {
      const text = JSON.stringify(body);
      if (text.includes("is to be replaced by a summary")) {
        summaries += 1;
        if (died === 1) return die();
        return { text: ["Numbers were added."] };
      }
      const isFolded = text.includes("The beginning of this conversation");
      // Before a summary, and with the first prompt behind one.
      if ((died === 0 && steps === 4) || (died === 2 && isFolded)) return die();
      const at = steps++;
      if (at >= STEPS) return { text: ["Done."] };
      const call = { id: `call-${at}`, name: "add_numbers", arguments: JSON.stringify({ a: at, b: 1 }) };
      return {
        text: [`Step ${at} of ${name}. ${"I think about it. ".repeat(110)}`],
        calls: [call],
        usage: "none",
      };
    });
    const running = await killablePlatform({
      ...{ MODEL: SPEC, MODEL_BASE_URL: `${hostile().url}/v1`, ANTHROPIC_API_KEY: "key-anthropic" },
      MODEL_WINDOWS: JSON.stringify({ [SPEC]: 8_192 }),
      HELPER_MODEL: SPEC.replace("hostile", "hostile-helper"),
      LOCK_GRACE_SECONDS: String(GRACE_SECONDS),
      // A busy machine may take a lock from a worker that lives, and that is one attempt more.
      MAX_ATTEMPTS: "20",
    });
    platform = running;
    await running.start();
    const message = `${name} add many numbers`;
    const answer = await running.maria.run(message, { background: "true" });
    expect(answer.status).toBe(202);
    for (let kills = 0; kills < KILLS; kills += 1) {
      await dying.promise;
      await running.kill();
      dying = Promise.withResolvers();
      await untilLocksAreStale(Date.now());
      await running.start();
    }
    const [rested] = await restingPlaces(running, [{ ...answer.json, message }], RESTS_WITHIN_MS);
    expect(rested).toMatchObject({ status: "COMPLETED" });
    const attempts = rested?.attempt ?? 0;
    expect(attempts).toBeGreaterThanOrEqual(1 + KILLS);
    const { run_id, session_id } = answer.json;
    const path = `/agents/assistant/runs/${run_id}?session_id=${session_id}`;
    const run: RunOutput = (await running.admin.get(path)).json;
    const folds = run.metrics?.additional_metrics?.context?.folds ?? [];
    expect(folds.length).toBeGreaterThan(0);
    expect(new Set(folds.map(({ first_kept_message_id }) => first_kept_message_id)).size).toBe(folds.length);
    expect(summaries).toBeLessThanOrEqual(folds.length + attempts - KILLS);
    const results = run.messages?.filter(({ role }) => role === "tool") ?? [];
    expect(results.map(({ content }) => content)).toEqual(
      Array.from({ length: STEPS }, (_, at) => String(at + 1)),
    );
  },
  TIMEOUT_MS,
);
