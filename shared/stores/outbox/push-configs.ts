import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { isNew, putItem, write } from "../../data/index.ts";
import type { Db } from "../db.ts";
import { subjectPartition } from "./outbox-keys.ts";

/** Version of the stored shape; raised with every change of it. */
export const PUSH_CONFIGS_SHAPE = 1;

/** Where a client of A2A wants to be notified of one task, and how it knows that it is us. */
export const PushConfig = v.object({
  id: v.string(),
  url: v.string(),
  /** Sent back in a header. */
  token: v.optional(v.string()),
  /** Sent as `Authorization`. */
  authentication: v.optional(v.object({ scheme: v.string(), credentials: v.string() })),
  /** Version of the protocol in which its messages are. */
  version: v.picklist(["1.0", "0.3"]),
});
export type PushConfig = v.InferOutput<typeof PushConfig>;

/** All of one task: the end of its run reads one item. It goes with the run's events. */
export const StoredPushConfigs = v.object({
  run_id: v.string(),
  configs: v.array(PushConfig),
  /** Counts changes. */
  revision: v.number(),
  /** Epoch seconds. */
  expires_at: v.number(),
});
export type StoredPushConfigs = v.InferOutput<typeof StoredPushConfigs>;

/** A paused task may be answered weeks later. */
const KEPT_SECONDS = 90 * 86_400;
const MAX_TRIES = 5;

const keyOf = (runId: string) => ({ pk: subjectPartition({ kind: "run", id: runId }), sk: "push" });

async function read(db: Db, runId: string): Promise<StoredPushConfigs | undefined> {
  const { Item } = await db.client.send(
    new GetCommand({ TableName: db.tables.outbox, Key: keyOf(runId), ConsistentRead: true }),
  );
  return Item && v.parse(StoredPushConfigs, Item);
}

/** A consistent read. */
export const getPushConfigs = async (db: Db, runId: string): Promise<readonly PushConfig[]> =>
  (await read(db, runId))?.configs ?? [];

/**
 * Changes the configurations of a task; a change that another request makes meanwhile is not lost.
 *
 * @param change  what they become; undefined where they stay
 * @param now     epoch seconds
 * @throws Error when others change them all the time
 */
export async function changePushConfigs(
  db: Db,
  runId: string,
  change: (configs: readonly PushConfig[]) => readonly PushConfig[] | undefined,
  now: number,
): Promise<void> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const seen = await read(db, runId);
    const configs = change(seen?.configs ?? []);
    if (!configs) return;
    const next = {
      run_id: runId,
      configs: [...configs],
      revision: (seen?.revision ?? 0) + 1,
      expires_at: now + KEPT_SECONDS,
    };
    const item = { ...keyOf(runId), ...next, shape: PUSH_CONFIGS_SHAPE };
    const { written } = await write(db, putItem("outbox", item, seen ? { revision: seen.revision } : isNew));
    if (written) return;
  }
  throw new Error(`the push configurations of ${runId} changed with every try`);
}
