import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { RecoveryError } from "../recovery-error.ts";

/** Where an export is written: a folder of this machine, or a prefix of a bucket. */
export type Destination = {
  /** As it was given, for people. */
  readonly name: string;
  /** @param path  with slashes, relative to the destination */
  readonly put: (path: string, bytes: Uint8Array) => Promise<void>;
};

/**
 * @param to  `s3://bucket/prefix`, or the path of a folder
 * @throws RecoveryError for an address of S3 without a bucket
 */
export function openDestination(to: string, s3: S3Client): Destination {
  if (!to.startsWith("s3://")) return folderAt(resolve(to));
  const [Bucket = "", ...parts] = to.slice("s3://".length).split("/");
  if (Bucket === "") throw new RecoveryError(`${to} names no bucket: s3://my-bucket/prefix is needed.`);
  const prefix = parts.filter((part) => part !== "");
  return {
    name: to,
    put: async (path, Body) => {
      await s3.send(new PutObjectCommand({ Bucket, Key: [...prefix, path].join("/"), Body }));
    },
  };
}

/** Only its owner may read it: it holds what users said. */
const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;

/** A part of a key that would lead out of the folder stays in it. */
const asName = (part: string): string => (/^\.\.?$/.test(part) ? part.replaceAll(".", "%2E") : part);

const folderAt = (folder: string): Destination => ({
  name: folder,
  put: async (path, bytes) => {
    const file = join(folder, ...path.split("/").map(asName));
    await mkdir(dirname(file), { recursive: true, mode: PRIVATE_FOLDER });
    await writeFile(file, bytes, { mode: PRIVATE_FILE });
  },
});
