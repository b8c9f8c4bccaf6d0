import { backOff } from "./transact.ts";

/** Of writers that meet in one place at the same moment, one wins with every try. */
const TRIES = 8;

/**
 * Reads, decides and writes, and does so anew where somebody else came before, after a wait that grows.
 *
 * @param tryOnce  undefined where somebody else came before
 * @param gaveUp   what is thrown when that happened every time
 */
export async function retryUntilWritten<T>(
  tryOnce: () => Promise<T | undefined>,
  gaveUp: () => Error,
  tries = TRIES,
): Promise<T> {
  for (let tryNumber = 1; tryNumber <= tries; tryNumber += 1) {
    const won = await tryOnce();
    if (won !== undefined) return won;
    await backOff(tryNumber);
  }
  throw gaveUp();
}
