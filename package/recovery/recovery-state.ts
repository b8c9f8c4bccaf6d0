import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import * as v from "valibot";

/** Where the state of a recovery is, in the bucket of the stage: another machine can go on with it. */
export const STATE_PREFIX = "recovery/";
const KEY = `${STATE_PREFIX}restore.json`;

/** The steps, in their order. */
export const steps = ["copies", "pause", "objects", "tables", "resume", "reconcile", "clean"] as const;
export type Step = (typeof steps)[number];

/** What was switched off, as it was before. */
export const PausedService = v.object({
  /** Epoch milliseconds: what ran then has ended when its function's timeout has passed. */
  at: v.number(),
  /** Reserved concurrency of each function; null where it had none. */
  concurrency: v.record(v.string(), v.nullable(v.number())),
  /** Ids of the event source mappings that were enabled. */
  mappings: v.array(v.string()),
});
export type PausedService = v.InferOutput<typeof PausedService>;

/** A restore that has begun and not ended. */
const RecoveryState = v.object({
  /** The instant, in ISO 8601. */
  to: v.string(),
  /** Of the tables that are restored. */
  tables: v.array(v.string()),
  done: v.array(v.picklist(steps)),
  paused: v.optional(PausedService),
});
export type RecoveryState = v.InferOutput<typeof RecoveryState>;

export async function readState(s3: S3Client, Bucket: string): Promise<RecoveryState | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: KEY }));
    return v.parse(v.pipe(v.string(), v.parseJson(), RecoveryState), await Body?.transformToString());
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

export async function writeState(s3: S3Client, Bucket: string, state: RecoveryState): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket, Key: KEY, Body: JSON.stringify(state) }));
}

export async function dropState(s3: S3Client, Bucket: string): Promise<void> {
  await s3.send(new DeleteObjectCommand({ Bucket, Key: KEY }));
}
