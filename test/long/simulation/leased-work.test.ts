import { describe, expect, test } from "vitest";
import { findWorkSeed, simulateWork, workGuards, workKinds } from "../../support/simulated/work-world.ts";

const SEEDS = 8;
const MOST_SEEDS = 60;
const TIMEOUT_MS = 120_000;

describe.each(workKinds)("the leased work of a kind: %s", (kind) => {
  test(
    `is done to its end by one worker at a time, in ${SEEDS} worlds of dying, frozen and late workers`,
    async () => {
      for (let seed = 1; seed <= SEEDS; seed += 1)
        expect({ seed, violations: await simulateWork(kind, seed) }).toEqual({ seed, violations: [] });
    },
    TIMEOUT_MS,
  );
});

test.each(workGuards)(
  "in some world a promise is broken, for each kind that has such a guard, without it: %s",
  async (guard) => {
    const found: string[] = [];
    for (const kind of workKinds) {
      const missed = await findWorkSeed(kind, guard, MOST_SEEDS);
      if (missed === "no such guard") continue;
      expect({ kind, ...missed }).toMatchObject({ kind, violation: expect.any(String) });
      found.push(kind);
    }
    expect(found).not.toEqual([]);
  },
  TIMEOUT_MS,
);
