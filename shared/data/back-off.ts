const BASE_DELAY_MS = 10;

/** The limit doubles so often at most: about two thirds of a second. */
const DOUBLINGS = 6;

/** Waits a random time below a limit that doubles with every try. */
export function backOff(tryNumber: number): Promise<void> {
  const ms = Math.random() * BASE_DELAY_MS * 2 ** Math.min(tryNumber, DOUBLINGS);
  return new Promise((resolve) => setTimeout(resolve, ms));
}
