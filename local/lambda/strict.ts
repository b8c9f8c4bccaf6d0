import { StartupError } from "../startup-error.ts";

/** What is played of Lambda that makes a local platform slower or less forgiving, with `LOCAL_AWS=strict`. */
export type Strict = {
  /** Invocations that may go on at a time in the account, those of functions with a reservation included. */
  readonly accountConcurrency: number;
  /** How many times faster than on AWS its delays pass. */
  readonly pace: number;
};

/** @source Lambda quotas: 1,000 concurrent executions; a new account may have less */
const defaultConcurrency = 1000;

/**
 * Whether Lambda is played strictly here; undefined where it is not.
 *
 * @throws StartupError when a variable has another value than it may have
 */
export function strictness({
  LOCAL_AWS,
  LOCAL_AWS_CONCURRENCY,
  LOCAL_AWS_PACE,
}: Readonly<Record<string, string | undefined>>): Strict | undefined {
  if (!LOCAL_AWS) return undefined;
  if (LOCAL_AWS !== "strict") throw new StartupError(`LOCAL_AWS is "${LOCAL_AWS}"; it may be "strict".`);
  return {
    accountConcurrency: above0("LOCAL_AWS_CONCURRENCY", LOCAL_AWS_CONCURRENCY || defaultConcurrency),
    pace: above0("LOCAL_AWS_PACE", LOCAL_AWS_PACE || 1),
  };
}

function above0(name: string, value: string | number): number {
  const wanted = Number(value);
  if (Number.isInteger(wanted) && wanted > 0) return wanted;
  throw new StartupError(`${name} is "${value}"; it must be a whole number above 0.`);
}
