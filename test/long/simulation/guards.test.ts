import { expect, test } from "vitest";
import { type Mutation, mutations } from "../../support/simulated/mutations.ts";
import { simulate } from "../../support/simulated/world.ts";

const TIMEOUT_MS = 120_000;
/** The first world in which a job that waits is given up; where the platform changes, a later one may be. */
const GIVEN_UP = 102;
const LAST_WORLD = 400;

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
    for (const seed of [1, 2, 3]) await simulate(seed, watching);
    const givenUp = () => !missing.has("give up: status queued");
    for (let seed = GIVEN_UP; seed <= LAST_WORLD && !givenUp(); seed += 1) await simulate(seed, watching);
    for (let seed = 1; seed <= 8 && missing.size > 0; seed += 1) await simulate(seed, watching, "also wait");
    for (let seed = 1; seed <= 8 && missing.size > 0; seed += 1) await simulate(seed, watching, "count");
    expect([...missing.keys()]).toEqual([]);
  },
  TIMEOUT_MS,
);
