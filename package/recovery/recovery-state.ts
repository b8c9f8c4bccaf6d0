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
const RESTORE = "restore";

/** The steps, in their order. */
export const steps = ["copies", "pause", "objects", "tables", "reconcile", "resume", "clean"] as const;
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

/** A copy to another stage that has begun; both stages have it, and the source keeps it until it works again. */
const CopyState = v.object({
  /** Which of the two this stage is. */
  role: v.picklist(["source", "target"]),
  /** The other stage, as people name it. */
  other: v.string(),
  paused: PausedService,
});
export type CopyState = v.InferOutput<typeof CopyState>;

export const readState = (s3: S3Client, bucket: string): Promise<RecoveryState | undefined> =>
  read(s3, bucket, RESTORE, RecoveryState);
export const writeState = (s3: S3Client, bucket: string, state: RecoveryState): Promise<void> =>
  write(s3, bucket, RESTORE, state);
export const dropState = (s3: S3Client, bucket: string): Promise<void> => drop(s3, bucket, RESTORE);

const COPY = "copy";
export const readCopyState = (s3: S3Client, bucket: string): Promise<CopyState | undefined> =>
  read(s3, bucket, COPY, CopyState);
export const writeCopyState = (s3: S3Client, bucket: string, state: CopyState): Promise<void> =>
  write(s3, bucket, COPY, state);
export const dropCopyState = (s3: S3Client, bucket: string): Promise<void> => drop(s3, bucket, COPY);

const keyOf = (name: string): string => `${STATE_PREFIX}${name}.json`;

async function read<T>(
  s3: S3Client,
  Bucket: string,
  name: string,
  schema: v.GenericSchema<unknown, T>,
): Promise<T | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: keyOf(name) }));
    return v.parse(schema, JSON.parse((await Body?.transformToString()) ?? ""));
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

async function write(s3: S3Client, Bucket: string, name: string, state: object): Promise<void> {
  await s3.send(new PutObjectCommand({ Bucket, Key: keyOf(name), Body: JSON.stringify(state) }));
}

async function drop(s3: S3Client, Bucket: string, name: string): Promise<void> {
  await s3.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) }));
}
