import type { Answer } from "./answer.ts";

/** Longest wait; after it the silence itself is worth telling, and the head must be out for that. */
const FIRST_FRAME_WAIT_MS = 5_000;

/**
 * Waits for a stream's first frame, so that a fault before it is answered as what it is and not as a stream that
 * breaks off at once. A stream that stays silent is answered as it is.
 *
 * @throws what the stream threw before its first frame
 */
export async function afterFirstFrame(answer: Answer, waitMs: number = FIRST_FRAME_WAIT_MS): Promise<Answer> {
  if (answer.body === null || typeof answer.body === "string") return answer;
  const frames = answer.body[Symbol.asyncIterator]();
  const first = frames.next();
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  try {
    await Promise.race([first, patience]);
  } finally {
    clearTimeout(timer);
  }
  return { ...answer, body: continued(first, frames) };
}

async function* continued(
  first: Promise<IteratorResult<string>>,
  frames: AsyncIterator<string>,
): AsyncGenerator<string> {
  try {
    for (let next = await first; !next.done; next = await frames.next()) yield next.value;
  } finally {
    // Not awaited: a source that waits for its next event would hold the reader.
    void frames.return?.()?.catch(() => {});
  }
}
