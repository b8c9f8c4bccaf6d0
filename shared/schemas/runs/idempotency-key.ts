import { MAX_IDEMPOTENCY_KEY_CHARS } from "./run-forms.ts";

/** The header of requests that begin a run or continue one. @source docs/interface/queue.md 3.3 */
export const idempotencyKey = {
  description: "The same key again begins nothing: it is answered with the run of the first request",
  schema: { maxLength: MAX_IDEMPOTENCY_KEY_CHARS },
  example: "order-4711",
};
