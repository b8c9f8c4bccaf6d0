import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { createModels } from "../../shared/engine/model/create-models.ts";
import { costOf, noUsage } from "../../shared/engine/model/usage.ts";
import { readEnv } from "../../shared/settings/read-env.ts";
import { models as modelSettings } from "../../shared/settings/rows/models.ts";
import { variablesOf } from "../../shared/settings/setting.ts";
import type { ModelPrice } from "../../shared/settings/values/model-prices.ts";
import { anAgent, runAgent } from "./support/run-agent.ts";

const usage = { ...noUsage, input_tokens: 1_000_000, output_tokens: 500_000 };
const price = { input_per_million: 2, output_per_million: 10 };

describe("the cost of tokens", () => {
  test("is that of the input and the output, in dollars", () => {
    expect(costOf(usage, price)).toBeCloseTo(7);
  });

  test("counts cached input at its own price, and at that of input where it has none", () => {
    const cached = { ...usage, cache_read_tokens: 400_000, cache_write_tokens: 100_000 };
    expect(costOf(cached, price)).toBeCloseTo(7);
    const own = { ...price, cache_read_per_million: 0.2, cache_write_per_million: 2.5 };
    expect(costOf(cached, own)).toBeCloseTo(0.5 * 2 + 0.4 * 0.2 + 0.1 * 2.5 + 5);
  });

  test("is unknown, and not 0, without a price", () => {
    expect(costOf(usage, undefined)).toBeUndefined();
  });
});

describe("a run's metrics", () => {
  const models = (prices: ModelPrice) =>
    createModels({ MODEL: "scripted", MODEL_PRICES: { scripted: prices } });

  test("show the cost where the model has a price", async () => {
    const { outcome } = await runAgent("one two", {
      models: models({ input_per_million: 1e6, output_per_million: 0 }),
    });
    const { metrics } = outcome.output;
    expect(metrics?.cost).toBe(metrics?.input_tokens);
    expect(metrics?.details).toMatchObject({ model: [{ id: "scripted-1", cost: metrics?.cost }] });
    const answer = outcome.output.messages?.findLast(({ role }) => role === "assistant");
    expect(answer?.metrics?.cost).toBe(metrics?.cost);
  });

  test("show none where it has not", async () => {
    const { outcome } = await runAgent("one two", { agent: anAgent() });
    expect(outcome.output.metrics).not.toHaveProperty("cost");
  });

  const environment = v.object(variablesOf(modelSettings, "modelPrices"));
  test.each(["nonsense", "5", '{"scripted":{"input_per_million":-1,"output_per_million":1}}'])(
    "cannot be computed with prices like %s",
    (MODEL_PRICES) => {
      expect(() => readEnv(environment, { MODEL_PRICES })).toThrow("MODEL_PRICES");
    },
  );
});
