/**
 * Which of a thread's invocations have begun, in memory that both sides see. A thread that is blocked answers no message,
 * so what it has not begun must be taken back without asking it:
 *
 *   host    posts 0 1 2 3 …            takes back 2 and 3: the next is 4
 *   thread           begins 0, 1                            finds 2 and 3 taken back, begins 4
 *
 * Messages arrive in the order in which they were posted, so one number is enough: that of the next one to begin.
 */
export const newClaims = (): Int32Array =>
  new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** In the thread: whether this invocation is still its own. From then on it is not taken back. */
export const claim = (claims: Int32Array, id: number): boolean =>
  Atomics.compareExchange(claims, 0, id, id + 1) === id;

/** On the host: the first invocation that the thread has not begun. */
export const nextToBegin = (claims: Int32Array): number => Atomics.load(claims, 0);

/**
 * On the host: takes back all invocations that the thread has not begun.
 *
 * @param posted  number of the next invocation that will be posted
 * @returns       number of the first that was taken back; `posted` when there was none
 */
export function takeBack(claims: Int32Array, posted: number): number {
  for (;;) {
    const next = Atomics.load(claims, 0);
    if (next === posted || Atomics.compareExchange(claims, 0, next, posted) === next) return next;
  }
}
