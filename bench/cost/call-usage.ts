import type { Platform } from "../../local/platform.ts";
import { sumOf, type Usage } from "./usage.ts";

/** What a call to AWS is paid as. Calls of the database are paid by units, invocations where they happen. */
const paidAs: Readonly<Record<string, Partial<Usage>>> = {
  "sqs:SendMessage": { sqsRequests: 1, sqsMessages: 1 },
  // Of unknown length; at most ten.
  "sqs:SendMessageBatch": { sqsRequests: 1, sqsMessages: 10 },
  "sqs:GetQueueAttributes": { sqsRequests: 1 },
  "s3:PutObject": { objectWrites: 1 },
  "s3:ListObjectsV2": { objectWrites: 1 },
  "s3:GetObject": { objectReads: 1 },
  "s3:HeadObject": { objectReads: 1 },
};

/** @returns what the functions' calls, counted by the platform itself, add since the last time it was asked */
export function callUsage({ calls }: Pick<Platform, "calls">): () => ReadonlyMap<string, Usage> {
  let before: Readonly<Record<string, number>> = {};
  return () => {
    const now = calls();
    const used = new Map<string, Usage>();
    for (const [key, n] of Object.entries(now)) {
      const [label = "", call = ""] = key.split(" ");
      const more = n - (before[key] ?? 0);
      const each = Array.from({ length: more }, () => paidAs[call] ?? {});
      used.set(label, sumOf(used.get(label) ?? {}, ...each));
    }
    before = now;
    return used;
  };
}
