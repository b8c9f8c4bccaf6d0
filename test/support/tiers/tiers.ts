/**
 * The tests have two tiers. `npm test` runs the quick one, which is for every edit: all rules, and one whole flow on the
 * local platform for every family and protocol. `npm run test:rest` runs the long one: browsers, campaigns, processes
 * that die. A file's tier is its folder: `test/long/<room>/` is the long one, every other room of `test/` the quick one.
 */
export type Tier = "quick" | "long";

/** Processor time in seconds that a file of the quick tier may take, without what it shares with others. */
const QUICK_FILE_SECONDS = 3;

/** It starts every function, and tries every route as its owner and as strangers: 140 ms for each of 260. */
const EVERY_ROUTE = { path: "test/flows/every-route.test.ts", seconds: 55 };

/** @param path  of a test file, from the top of the project. @returns  the processor time in seconds that it may take */
export function limitOf(path: string): number {
  if (tierOf(path) === "long") return Number.POSITIVE_INFINITY;
  return path === EVERY_ROUTE.path ? EVERY_ROUTE.seconds : QUICK_FILE_SECONDS;
}

const LONG = "test/long/";

type Files = { readonly include: string[]; readonly exclude: string[] };

/** The test files of a tier, as patterns from the top of the project. */
export const filesOf = (tier: Tier): Files =>
  tier === "long"
    ? { include: [`${LONG}**/*.test.ts`], exclude: [] }
    : { include: ["test/**/*.test.ts"], exclude: [`${LONG}**`] };

/** @param path  of a test file, from the top of the project */
export const tierOf = (path: string): Tier => (path.startsWith(LONG) ? "long" : "quick");
