import { describe, expect, test } from "vitest";
import { findSeeds } from "../../support/simulated/find-seeds.ts";
import { mutations } from "../../support/simulated/mutations.ts";
import { simulate } from "../../support/simulated/world.ts";

const SEEDS = 24;
const WAITING_SEEDS = 12;
const COUNTING_SEEDS = 12;
const TALKING_SEEDS = 12;
/** Worlds that broke a promise once. */
const BROKEN_ONCE = [5567, 7561];
const TIMEOUT_MS = 300_000;

test(
  `${SEEDS} worlds with lost, doubled and late messages, failing stores and dying processes keep every promise`,
  async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const { violations } = await simulate(seed);
      expect({ seed, violations }).toEqual({ seed, violations: [] });
    }
  },
  TIMEOUT_MS,
);

test(
  `${WAITING_SEEDS} worlds in which clients wait for runs that outlast them keep every promise`,
  async () => {
    for (let seed = 1; seed <= WAITING_SEEDS; seed += 1) {
      const { violations } = await simulate(seed, undefined, "also wait");
      expect({ seed, violations }).toEqual({ seed, violations: [] });
    }
  },
  TIMEOUT_MS,
);

test(
  `${TALKING_SEEDS} worlds in which people talk to runs have each message at exactly one place`,
  async () => {
    const first = Array.from({ length: TALKING_SEEDS }, (_, i) => i + 1);
    for (const seed of [...first, ...BROKEN_ONCE]) {
      const { violations } = await simulate(seed, undefined, "talk");
      expect({ seed, violations }).toEqual({ seed, violations: [] });
    }
  },
  TIMEOUT_MS,
);

test(
  `${COUNTING_SEEDS} worlds whose runs count in the state of their sessions lose and double nothing of it`,
  async () => {
    for (let seed = 1; seed <= COUNTING_SEEDS; seed += 1) {
      const { violations } = await simulate(seed, undefined, "count");
      expect({ seed, violations }).toEqual({ seed, violations: [] });
    }
  },
  TIMEOUT_MS,
);

describe("without one of its guards", () => {
  const missedSoon = [
    "claim: the version that the run began with",
    "claim: status queued",
    "fence: holder and attempt",
    "transaction: ending",
    "ending: the session's state is as it was read",
    "ending: what a requeue takes back of the state",
  ];
  test.each(mutations.filter(({ name }) => missedSoon.includes(name)))(
    "the queue breaks a promise: $name",
    async (mutation) => {
      expect((await findSeeds(mutation, 60)).seeds).toBeDefined();
    },
    TIMEOUT_MS,
  );
});
