import { type Answer, isStream } from "../answer.ts";

/** Longest wait. After it the status and headers are sent, because keep-alives can only follow them. */
const FIRST_FRAME_WAIT_MS = 5_000;

/**
 * Waits for a stream's first frame, so that an error before it is answered with its own status and not as a stream
 * that breaks off at once. A stream that stays silent that long is answered without its first frame.
 *
 * @throws what the stream threw before its first frame
 */
export async function afterFirstFrame(answer: Answer, waitMs: number = FIRST_FRAME_WAIT_MS): Promise<Answer> {
  if (!isStream(answer.body)) return answer;
  const frames = answer.body[Symbol.asyncIterator]();
  const first = frames.next();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  try {
    await Promise.race([first, timeout]);
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
    // Not awaited: a source that waits for its next event would block the reader.
    void frames.return?.()?.catch(() => {});
  }
}
