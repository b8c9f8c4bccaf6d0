import type { Platform } from "../../local/platform.ts";
import { sumOf, type Usage } from "./usage.ts";

/** Billed units of a call to AWS. Database calls are counted in capacity units, invocations by the platform. */
const billedUnits: Readonly<Record<string, Partial<Usage>>> = {
  "sqs:SendMessage": { sqsRequests: 1, sqsMessages: 1 },
  // The number of messages is not known; at most ten.
  "sqs:SendMessageBatch": { sqsRequests: 1, sqsMessages: 10 },
  "sqs:GetQueueAttributes": { sqsRequests: 1 },
  "s3:PutObject": { objectWrites: 1 },
  "s3:ListObjectsV2": { objectWrites: 1 },
  "s3:GetObject": { objectReads: 1 },
  "s3:HeadObject": { objectReads: 1 },
};

/** @returns a function with the usage of the functions' calls since its last call, as the platform counts them */
export function callUsage({ calls }: Pick<Platform, "calls">): () => ReadonlyMap<string, Usage> {
  let before: Readonly<Record<string, number>> = {};
  return () => {
    const now = calls();
    const used = new Map<string, Usage>();
    for (const [key, n] of Object.entries(now)) {
      const [label = "", call = ""] = key.split(" ");
      const more = n - (before[key] ?? 0);
      const each = Array.from({ length: more }, () => billedUnits[call] ?? {});
      used.set(label, sumOf(used.get(label) ?? {}, ...each));
    }
    before = now;
    return used;
  };
}
