import { StartupError } from "../startup-error.ts";

const defaultConcurrency = 16;

/**
 * How many invocations of a function one thread serves at a time. `LAMBDA_CONCURRENCY=1` is Lambda as it is by default.
 *
 * @throws StartupError when it is no whole number above 0
 */
export function lambdaConcurrency({
  LAMBDA_CONCURRENCY,
}: Readonly<Record<string, string | undefined>>): number {
  const wanted = Number(LAMBDA_CONCURRENCY || defaultConcurrency);
  if (Number.isInteger(wanted) && wanted > 0) return wanted;
  throw new StartupError(`LAMBDA_CONCURRENCY is "${LAMBDA_CONCURRENCY}"; it must be a whole number above 0.`);
}
