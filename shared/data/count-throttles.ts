import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** What DynamoDB calls it: as the error of a call, or as the reason of a transaction. */
const throttles: ReadonlySet<unknown> = new Set([
  "ProvisionedThroughputExceededException",
  "ProvisionedThroughputExceeded",
  "RequestLimitExceeded",
  "ThrottlingException",
  "ThrottlingError",
]);

/**
 * Calls `throttled` for each attempt that DynamoDB refuses because there are too many, of any table: the client tries again, and
 * no other part learns of it. Of a batch that was taken in part, only writes count: of reads the answer may be too large.
 */
export function countThrottles(client: DynamoDBClient, throttled: () => Promise<void>): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      try {
        const result = await next(args);
        if (Object.keys(memberOf(result.output, "UnprocessedItems") ?? {}).length > 0) await throttled();
        return result;
      } catch (error) {
        if (isThrottle(error)) await throttled();
        throw error;
      }
    },
    // Below the retries, which are of this step too.
    { name: "countThrottles", step: "finalizeRequest", priority: "low", override: true },
  );
}

function isThrottle(error: unknown): boolean {
  const reasons = memberOf(error, "CancellationReasons");
  const codes = Array.isArray(reasons) ? reasons.map((reason) => memberOf(reason, "Code")) : [];
  return [memberOf(error, "name"), ...codes].some((code) => throttles.has(code));
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
