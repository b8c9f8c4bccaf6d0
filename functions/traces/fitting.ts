import { MAX_ANSWER_BYTES, refuseTooLarge } from "../../shared/http/max-answer-bytes.ts";

/** Characters of each text that are shown, the first that lets the answer be sent. */
const lengths = [Number.POSITIVE_INFINITY, 10_000, 1_000, 100];

/**
 * Shows as much of the texts of traces as one answer can carry.
 *
 * @param show  gives the answer's data with texts of so many characters at most
 * @throws ServiceError BAD_REQUEST when there is too much beside the texts
 */
export function fitting<T>(show: (chars: number) => readonly T[]): T[] {
  for (const chars of lengths) {
    const data = show(chars);
    if (Buffer.byteLength(JSON.stringify(data)) <= MAX_ANSWER_BYTES) return [...data];
  }
  const data = show(0);
  refuseTooLarge(data, "these traces");
  return [...data];
}
