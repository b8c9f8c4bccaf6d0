/** Faults of a store or of the network to it, by the names that the AWS clients give them. */
const OUTAGE_NAMES = new Set([
  "TimeoutError",
  "NetworkingError",
  "ThrottlingException",
  "Throttling",
  "TooManyRequestsException",
  "RequestLimitExceeded",
  "ProvisionedThroughputExceededException",
  "RequestThrottled",
  "InternalServerError",
  "ServiceUnavailable",
]);
const OUTAGE_CODES = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"]);

/**
 * Whether an error is a fault of something this service depends on. Every error that an AWS client throws counts: a
 * handler that expects one has caught it.
 */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ("$metadata" in error || "$fault" in error) return true;
  if (OUTAGE_NAMES.has(error.name)) return true;
  if ("code" in error && typeof error.code === "string" && OUTAGE_CODES.has(error.code)) return true;
  return error.cause !== error && isOutage(error.cause);
}
