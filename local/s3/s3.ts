import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
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
    request: AwsRequest,
    headers: Readonly<Record<string, unknown>>,
    body: Buffer,
  ) => Promise<S3Answer>;
};

/** A page of a listing. @source ListObjectsV2: at most 1,000 keys */
const PAGE_KEYS = 1_000;

/**
 * S3 in this process: one file per object, in folders by its key.
 *
 * The queue emulator has an S3 as well. It writes the body and the metadata of an object to two files, one after the
 * other, so a kill in between leaves a new body with old metadata. Here each object is one file, replaced atomically.
 *
 * @param folder  contains buckets and objects
 */
export function openS3(folder: string): S3 {
  mkdirSync(folder, { recursive: true });
  return {
    createBuckets: async (names) => {
      for (const name of names) await mkdir(join(folder, name), { recursive: true });
    },
    answer: async ({ operation, body: parameters }, headers, body) => {
      const { Bucket, Key, ResponseContentType = "application/octet-stream" } = parameters;
      const bucket = join(folder, encoded(String(Bucket)));
      if (!(await stat(bucket).catch(() => undefined))) return s3Error(404, "NoSuchBucket", String(Bucket));
      const file = join(bucket, ...String(Key).split("/").map(encoded));
      switch (operation) {
        case "PutObject":
          return putObject(file, headers, body);
        case "CopyObject":
          return copyObject(folder, String(parameters.CopySource), file);
        case "GetObject":
        case "HeadObject":
          return getObject(file, String(Key), String(ResponseContentType), headers.range);
        case "DeleteObject":
          await rm(file, { force: true });
          return { status: 204, headers: {}, body: "" };
        default:
          return listObjects(bucket, parameters);
      }
    },
  };
}

/** An error in the format of the S3 protocol. */
export const s3Error = (status: number, code: string, message: string): S3Answer =>
  xml(status, `<Error><Code>${text(code)}</Code><Message>${text(message)}</Message></Error>`);

async function putObject(
  file: string,
  headers: Readonly<Record<string, unknown>>,
  body: Buffer,
): Promise<S3Answer> {
  const expected = headers["x-amz-checksum-sha256"];
  const sha256 = createHash("sha256").update(body).digest("base64");
  if (expected !== undefined && expected !== sha256) {
    return s3Error(400, "BadDigest", "The SHA256 you specified did not match the calculated checksum.");
  }
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(file, body);
  return { status: 200, headers: { etag: etagOf(body) }, body: "" };
}

async function getObject(file: string, key: string, type: string, range: unknown): Promise<S3Answer> {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(String(range)) ?? [];
  if (from !== undefined && to !== undefined) return getRange(file, key, Number(from), Number(to));
  const body = await readFile(file).catch(() => undefined);
  if (!body) return s3Error(404, "NoSuchKey", `The specified key does not exist: ${key}`);
  return { status: 200, headers: { "content-type": type, etag: etagOf(body) }, body };
}

/** A part of an object, without reading the rest of it. @source GetObject: a first byte behind the end is 416 */
async function getRange(file: string, key: string, from: number, to: number): Promise<S3Answer> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return s3Error(404, "NoSuchKey", `The specified key does not exist: ${key}`);
  try {
    const { size } = await handle.stat();
    if (from >= size) return s3Error(416, "InvalidRange", "The requested range is not satisfiable");
    const end = Math.min(to + 1, size);
    const body = Buffer.alloc(end - from);
    await handle.read(body, 0, body.length, from);
    return { status: 206, headers: { "content-range": `bytes ${from}-${end - 1}/${size}` }, body };
  } finally {
    await handle.close();
  }
}

async function copyObject(folder: string, source: string, file: string): Promise<S3Answer> {
  const body = await readFile(join(folder, ...source.split("/").map(encoded))).catch(() => undefined);
  if (!body) return s3Error(404, "NoSuchKey", `The specified key does not exist: ${source}`);
  await mkdir(dirname(file), { recursive: true });
  await replaceFile(file, body);
  return xml(200, `<CopyObjectResult><ETag>${text(etagOf(body))}</ETag></CopyObjectResult>`);
}

type Listed = { readonly key: string; readonly size: number; readonly at: Date };

async function listObjects(bucket: string, parameters: AwsRequest["body"]): Promise<S3Answer> {
  const { Prefix = "", Delimiter, MaxKeys = PAGE_KEYS, ContinuationToken = "" } = parameters;
  const prefix = String(Prefix);
  // A file that is still being written has a tilde in its name, which no encoded key has.
  const entries = await readdir(bucket, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.includes(TEMPORARY));
  const keys = files.map(({ parentPath, name }) => keyOf(relative(bucket, join(parentPath, name))));
  const grouped = keys
    .filter((key) => key.startsWith(prefix))
    .map((key) => keyOrCommonPrefix(key, prefix, Delimiter));
  const rest = [...new Set(grouped)].sort().filter((key) => key > String(ContinuationToken));
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
  const listing = `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents}${folders.join("")}</ListBucketResult>`;
  return xml(200, listing);
}

/** The key, or its common prefix if the rest of the key contains the delimiter. */
function keyOrCommonPrefix(key: string, prefix: string, delimiter: unknown): string {
  const at = typeof delimiter === "string" && delimiter !== "" ? key.indexOf(delimiter, prefix.length) : -1;
  return at < 0 ? key : key.slice(0, at + String(delimiter).length);
}

/** @returns an empty list for an object that was removed after its folder was read */
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
  encodeURIComponent(key).replaceAll("~", "%7E").replaceAll(".", "%2E").replaceAll("*", "%2A");
const etagOf = (body: Buffer): string => `"${createHash("md5").update(body).digest("hex")}"`;
const text = (raw: string): string => raw.replace(/[<>&]/g, (c) => `&#${c.charCodeAt(0)};`);
