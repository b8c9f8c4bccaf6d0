import { expect, test } from "vitest";
import { type Mutation, mutations } from "../../support/simulated/mutations.ts";
import { simulate } from "../../support/simulated/world.ts";

const TIMEOUT_MS = 120_000;
/** In this one a job is given up that waits. */
const GIVEN_UP = 56;

test(
  "each guard that is taken away for a check stands in a request, as it is spelled there",
  async () => {
    const missing = new Map(
      mutations.flatMap(({ name, weaken }) => (weaken ? [[name, weaken] as const] : [])),
    );
    const watching: Mutation = {
      name: "none",
      weaken(request) {
        for (const [name, weaken] of missing)
          if (JSON.stringify(weaken(request)) !== JSON.stringify(request)) missing.delete(name);
        return request;
      },
    };
    for (const seed of [1, 2, 3, GIVEN_UP]) await simulate(seed, watching);
    for (let seed = 1; seed <= 8 && missing.size > 0; seed += 1) await simulate(seed, watching, "also wait");
    for (let seed = 1; seed <= 8 && missing.size > 0; seed += 1) await simulate(seed, watching, "count");
    expect([...missing.keys()]).toEqual([]);
  },
  TIMEOUT_MS,
);
