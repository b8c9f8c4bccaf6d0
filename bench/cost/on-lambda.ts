/** Memory with which a function has one whole processor. @source Lambda developer guide, memory */
const WHOLE_PROCESSOR_MB = 1769;

/**
 * What an invocation would be billed on AWS that took this long here: as if all of it were computing, on the share of
 * a processor that its memory brings. Waiting is not slowed down by a small share, and a call to the database takes
 * about as long here (DynamoDB Local, some 3 ms) as there; so this errs on the dear side.
 *
 * @decided  a laptop's milliseconds are not Lambda's. This is the one assumption between them, and the sheet shows
 *           both.
 */
export const billedMs = (measuredMs: number, memoryMb: number): number =>
  Math.ceil(measuredMs * Math.max(1, WHOLE_PROCESSOR_MB / memoryMb));

export const gigabyteSecondsOf = (ms: number, memoryMb: number): number => (ms / 1000) * (memoryMb / 1024);

/**
 * What Lambda itself writes into a function's log for each invocation (JSON, level INFO): a start and a report.
 *
 * @decided  counted by hand from the format's documentation; with the 26 bytes that each event costs besides
 */
export const LAMBDA_LOG_BYTES = 550;

/** A line of the HTTP API's access log, as `lib/http-api.ts` shapes it, with the 26 bytes of an event. */
export const ACCESS_LOG_BYTES = 420;

/** What CloudWatch Logs adds to each line that is written. */
export const EVENT_BYTES = 26;
