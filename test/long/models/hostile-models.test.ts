import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientOf } from "../../support/client.ts";
import { providers, startHostileModel } from "../../support/hostile-model/start-hostile-model.ts";
import { startPlatform, type TestPlatform } from "../../support/platform.ts";
import { allBut, specialRegistry } from "../../support/test-registry.ts";
import { isChosen, isPlayed } from "./combinations.ts";
import { type BehaviourName, behaviours } from "./failures.ts";
import { type FlowName, type FlowWorld, flows } from "./flows.ts";
import { expectedOutcomes, type Outcomes, outcomes, outcomesPath } from "./outcomes.ts";

/**
 * The flows of the engine over the behaviours of the providers, on a platform that runs the bundles: every pair of a flow, a
 * behaviour and a provider (`combinations.ts`), or with `EVERY_COMBINATION=1` all of the three. `RECORD_OUTCOMES=1` plays all,
 * and writes what is found into the table instead of comparing; `BEHAVIOURS` is an expression that chooses some rows.
 */

let platform: TestPlatform;
let world: FlowWorld & { readonly stop: () => Promise<void> };
beforeAll(async () => {
  const model = await startHostileModel();
  platform = await startPlatform({
    registry: specialRegistry,
    without: allBut("runs", "worker"),
    // Long enough for all retries, and short for a model that never answers.
    env: {
      ...model.environment,
      // One model plays everything at once: what strikes one flow is not to keep the others from it.
      MODEL_HEALTH: "own",
      EXECUTION_TIMEOUT_SECONDS: "200",
      MODEL_FIRST_TOKEN_SECONDS: "6",
      MODEL_SILENCE_SECONDS: "6",
    },
  });
  world = { model, client: clientOf(platform.url, platform.adminToken), stop: model.stop };
}, 600_000);

const found: Record<string, Record<string, Record<string, string>>> = {};
afterAll(async () => {
  await platform?.stop();
  await world?.stop();
  if (process.env.RECORD_OUTCOMES)
    writeFileSync(outcomesPath, `${JSON.stringify({ ...outcomes, ...collapsed() }, null, 2)}\n`);
});

const playsAll = process.env.EVERY_COMBINATION !== undefined || process.env.RECORD_OUTCOMES !== undefined;
const asked = new RegExp(process.env.BEHAVIOURS ?? "");

// A model that never answers takes every flow as long as a run may take: side by side, that is a quarter of the time.
describe.concurrent.each(providers)("%s", (provider) => {
  test.each(Object.keys(flows) as FlowName[])(
    "%s",
    async (flow) => {
      const names = (Object.keys(behaviours) as BehaviourName[])
        .filter((name) => (playsAll ? isPlayed(name, flow) : isChosen(name, flow, provider)))
        .filter((name) => asked.test(name));
      const outcomes: Record<string, string> = {};
      await atMost(8, names, async (name) => {
        const key = `plan-${provider}-${flow}-${name}`;
        outcomes[name] = await flows[flow]({ ...world, provider, key, behaviour: behaviours[name] });
      });
      for (const name of names) note(name, flow, provider, outcomes[name] ?? "");
      if (process.env.RECORD_OUTCOMES) return;
      const unexpected = names.filter(
        (name) => !expectedOutcomes(name, flow, provider).includes(outcomes[name] ?? ""),
      );
      const shown = (name: BehaviourName) => [name, outcomes[name], expectedOutcomes(name, flow, provider)];
      expect(unexpected.map(shown)).toEqual([]);
    },
    600_000,
  );

  test("a model that does nothing but call tools is stopped", async () => {
    const name = `plan-${provider}-stubborn`;
    const plan = world.model.plan(name, (_, at) => ({
      calls: [{ id: `call_${at}`, name: "add_numbers", arguments: `{"a":${at},"b":1}` }],
    }));
    const form = { message: name, stream: "false" };
    const { json } = await world.client.post(`/agents/${provider}-counter/runs`, { form });
    expect(json).toMatchObject({ status: "ERROR", content: expect.stringContaining("tool_call_limit of 2") });
    expect(plan.requests).toHaveLength(3);
  });
});

function note(name: BehaviourName, flow: FlowName, provider: string, outcome: string): void {
  const { [flow]: of = {}, ...row } = found[name] ?? {};
  found[name] = { ...row, [flow]: { ...of, [provider]: outcome } };
}

async function atMost<T>(count: number, all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await act(next);
  };
  await Promise.all(Array.from({ length: count }, work));
}

/** What all providers have in common stands once. */
function collapsed(): Outcomes {
  const entries = Object.entries(found).map(([name, row]) => [
    name,
    Object.fromEntries(
      Object.entries(row).map(([flow, of]) => {
        const distinct = new Set(Object.values(of));
        return [flow, distinct.size === 1 ? [...distinct][0] : of];
      }),
    ),
  ]);
  return Object.fromEntries(entries);
}
