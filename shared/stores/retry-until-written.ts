import { backOff } from "../data/back-off.ts";

/** Of concurrent writers of one item, at least one succeeds with every try. */
const TRIES = 8;

/**
 * Reads, decides and writes, and repeats that after a lost race, with a growing wait.
 *
 * @param tryOnce  undefined after a lost race
 * @param gaveUp   the error after the last try
 */
export async function retryUntilWritten<T>(
  tryOnce: () => Promise<T | undefined>,
  gaveUp: () => Error,
  tries = TRIES,
): Promise<T> {
  for (let tryNumber = 1; tryNumber <= tries; tryNumber += 1) {
    const written = await tryOnce();
    if (written !== undefined) return written;
    await backOff(tryNumber);
  }
  throw gaveUp();
}
