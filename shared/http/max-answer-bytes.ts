import { ServiceError } from "../errors.ts";

/** Limit of an answer's data as JSON: a function returns 6 MB at most, and Lambda escapes its text once more. */
export const MAX_ANSWER_BYTES = 4_000_000;

/** @param what  what makes the data large, for the refusal. @throws ServiceError BAD_REQUEST */
export function refuseTooLarge(data: readonly unknown[], what: string): void {
  if (Buffer.byteLength(JSON.stringify(data)) <= MAX_ANSWER_BYTES) return;
  throw new ServiceError("BAD_REQUEST", `${what} do not fit into one answer; lower the limit`);
}
