import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { AwsRequest } from "../iam/required-permissions.ts";
import { isMissing } from "../machine/is-missing.ts";
import { replaceFile, TEMPORARY } from "../machine/whole-file.ts";

export type S3Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
};

export type S3 = {
  readonly createBuckets: (names: readonly string[]) => Promise<void>;
  /** Answers one request of an S3 client. */
  readonly answer: (
    asked: AwsRequest,
    headers: Readonly<Record<string, unknown>>,
    body: Buffer,
  ) => Promise<S3Answer>;
};

/** A page of a listing. @source ListObjectsV2: at most 1,000 keys */
const PAGE_KEYS = 1_000;

/**
 * S3 in this process: one file for each object, in folders by its key.
 *
 * The queue emulator has an S3 as well. It keeps a body and what belongs to it in two files that are written one after
 * the other, so a kill in between leaves a new body under the old description; here a file appears as a whole.
 *
 * @param folder  keeps buckets and objects
 */
export function openS3(folder: string): S3 {
  mkdirSync(folder, { recursive: true });
  return {
    createBuckets: async (names) => {
      for (const name of names) await mkdir(join(folder, name), { recursive: true });
    },
    answer: async ({ operation, body: asked }, headers, body) => {
      const { Bucket, Key } = asked;
      const bucket = join(folder, encoded(String(Bucket)));
      if (!(await stat(bucket).catch(() => undefined))) return s3Fault(404, "NoSuchBucket", String(Bucket));
      const file = join(bucket, ...String(Key).split("/").map(encoded));
      switch (operation) {
        case "PutObject":
          return putObject(file, headers, body);
        case "GetObject":
        case "HeadObject":
          return getObject(file, String(Key));
        case "DeleteObject":
          await rm(file, { force: true });
          return { status: 204, headers: {}, body: "" };
        default:
          return listObjects(bucket, asked);
      }
    },
  };
}

/** An error in the form of the S3 protocol. */
export const s3Fault = (status: number, code: string, message: string): S3Answer =>
  xml(status, `<Error><Code>${text(code)}</Code><Message>${text(message)}</Message></Error>`);

async function putObject(
  file: string,
  headers: Readonly<Record<string, unknown>>,
  body: Buffer,
): Promise<S3Answer> {
  const promised = headers["x-amz-checksum-sha256"];
  const sha256 = createHash("sha256").update(body).digest("base64");
  if (promised !== undefined && promised !== sha256) {
    return s3Fault(400, "BadDigest", "The SHA256 you specified did not match the calculated checksum.");
  }
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(file, body);
  return { status: 200, headers: { etag: etagOf(body) }, body: "" };
}

async function getObject(file: string, key: string): Promise<S3Answer> {
  const body = await readFile(file).catch(() => undefined);
  if (!body) return s3Fault(404, "NoSuchKey", `The specified key does not exist: ${key}`);
  return { status: 200, headers: { "content-type": "application/octet-stream", etag: etagOf(body) }, body };
}

type Listed = { readonly key: string; readonly size: number; readonly at: Date };

async function listObjects(bucket: string, asked: AwsRequest["body"]): Promise<S3Answer> {
  const { Prefix = "", Delimiter, MaxKeys = PAGE_KEYS, ContinuationToken = "" } = asked;
  const prefix = String(Prefix);
  // What is being written is no object yet, and no encoded key has a tilde.
  const entries = await readdir(bucket, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.includes(TEMPORARY));
  const keys = files.map(({ parentPath, name }) => keyOf(relative(bucket, join(parentPath, name))));
  const folded = keys.filter((key) => key.startsWith(prefix)).map((key) => foldedKey(key, prefix, Delimiter));
  const rest = [...new Set(folded)].sort().filter((key) => key > String(ContinuationToken));
  const page = rest.slice(0, Math.min(Number(MaxKeys), PAGE_KEYS));
  const present = new Set(keys);
  const isFile = (key: string) => present.has(key);
  const found = await Promise.all(page.filter(isFile).map((key) => listed(bucket, key)));
  const folders = page
    .filter((key) => !isFile(key))
    .map((key) => `<CommonPrefixes><Prefix>${text(key)}</Prefix></CommonPrefixes>`);
  const isTruncated = rest.length > page.length;
  const next = isTruncated ? `<NextContinuationToken>${text(page.at(-1) ?? "")}</NextContinuationToken>` : "";
  const contents = found.flat().map(contentsOf).join("");
  const answer = `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents}${folders.join("")}</ListBucketResult>`;
  return xml(200, answer);
}

/** A key, or the folder that stands for it where the rest of it holds the delimiter. */
function foldedKey(key: string, prefix: string, delimiter: unknown): string {
  const at = typeof delimiter === "string" && delimiter !== "" ? key.indexOf(delimiter, prefix.length) : -1;
  return at < 0 ? key : key.slice(0, at + String(delimiter).length);
}

/** @returns nothing for an object that was removed since its folder was read */
async function listed(bucket: string, key: string): Promise<Listed[]> {
  try {
    const { size, mtime } = await stat(join(bucket, ...key.split("/").map(encoded)));
    return [{ key, size, at: mtime }];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const contentsOf = ({ key, size, at }: Listed): string =>
  `<Contents><Key>${text(key)}</Key><LastModified>${at.toISOString()}</LastModified><Size>${size}</Size></Contents>`;

const xml = (status: number, body: string): S3Answer => ({
  status,
  headers: { "content-type": "application/xml" },
  body: `<?xml version="1.0" encoding="UTF-8"?>${body}`,
});

const keyOf = (path: string): string => path.split(sep).map(decodeURIComponent).join("/");
const encoded = (key: string): string =>
  encodeURIComponent(key).replaceAll("~", "%7E").replaceAll(".", "%2E");
const etagOf = (body: Buffer): string => `"${createHash("md5").update(body).digest("hex")}"`;
const text = (raw: string): string => raw.replace(/[<>&]/g, (c) => `&#${c.charCodeAt(0)};`);
