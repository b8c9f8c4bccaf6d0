/** Tests of the peer that fail here for a reason: part of their name, and the reason. */
const differences: readonly (readonly [RegExp, string])[] = [];

/** Why a test of the peer may fail; undefined for one that must pass. */
export const differenceOf = (test: string): string | undefined =>
  differences.find(([name]) => name.test(test))?.[1];
