import { describe, expect, test } from "vitest";
import { providers } from "../../support/hostile-model/start-hostile-model.ts";
import { isChosen, isPlayed } from "./combinations.ts";
import { type BehaviourName, behaviours } from "./failures.ts";
import { type FlowName, flows } from "./flows.ts";
import { outcomes } from "./outcomes.ts";

const names = Object.keys(behaviours) as BehaviourName[];
const flowNames = Object.keys(flows) as FlowName[];

describe("what is played of the hostile models", () => {
  test("is every behaviour in every flow that it can be played in", () => {
    for (const name of names)
      for (const flow of flowNames)
        expect({ name, flow, played: providers.some((one) => isChosen(name, flow, one)) }).toEqual({
          ...{ name, flow, played: isPlayed(name, flow) },
        });
  });

  test("is every behaviour of every provider", () => {
    const played = names.filter((name) => flowNames.filter((flow) => isPlayed(name, flow)).length >= 4);
    expect(played.length).toBeGreaterThan(40);
    for (const name of played)
      for (const provider of providers)
        expect({
          name,
          provider,
          in: flowNames.filter((flow) => isChosen(name, flow, provider)),
        }).not.toEqual({
          ...{ name, provider, in: [] },
        });
  });

  test("is every provider in every flow", () => {
    for (const flow of flowNames)
      for (const provider of providers)
        expect({
          flow,
          provider,
          count: names.filter((name) => isChosen(name, flow, provider)).length,
        }).not.toEqual({
          ...{ flow, provider, count: 0 },
        });
  });

  test("is every provider where they differ", () => {
    for (const name of names)
      for (const flow of flowNames.filter((one) => typeof outcomes[name]?.[one] === "object"))
        expect(providers.filter((one) => isChosen(name, flow, one))).toEqual(providers);
  });

  test("is less than a third of all", () => {
    const all =
      names.flatMap((name) => flowNames.filter((flow) => isPlayed(name, flow))).length * providers.length;
    const chosen = names.flatMap((name) =>
      flowNames.flatMap((flow) => providers.filter((one) => isChosen(name, flow, one))),
    ).length;
    expect(chosen / all).toBeLessThan(1 / 3);
  });
});
