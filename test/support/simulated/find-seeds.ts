import type { Mutation } from "./mutations.ts";
import { simulate } from "./world.ts";

export type Found = {
  /** Worlds that were played until one failed; undefined when none did. */
  readonly seeds: number | undefined;
  /** What was seen first. */
  readonly violation: string | undefined;
};

/** Plays worlds without a guard until one of them breaks a promise. @param most  worlds to play at most */
export async function findSeeds(mutation: Mutation, most: number): Promise<Found> {
  for (let seed = 1; seed <= most; seed += 1) {
    const { violations } = await simulate(seed, mutation, mutation.clients);
    if (violations[0] !== undefined) return { seeds: seed, violation: withoutNames(violations[0]) };
  }
  return { seeds: undefined, violation: undefined };
}

const withoutNames = (text: string): string =>
  text.replace(/\b(run|session|key)-[\w-]+/g, "$1").replace(/-\d+( \(\w+\))?/g, "");
