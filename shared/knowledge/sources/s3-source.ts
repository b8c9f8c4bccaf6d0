import { ContentFault } from "../content-fault.ts";
import { MAX_FETCHED_BYTES } from "../fetch/guarded-fetch.ts";
import type { Listing, SourceReader } from "./source.ts";

type S3Setting = { readonly bucket: string };

/** What is wrong with a bucket, as far as the caller may be told. */
export class BucketFault extends Error {
  override readonly name = "BucketFault";
  readonly kind: "missing" | "refused";

  constructor(kind: "missing" | "refused", bucket: string) {
    super(kind === "missing" ? `there is no bucket ${bucket}` : `the bucket ${bucket} may not be read`);
    this.kind = kind;
  }
}

/** The client is loaded with the first object: most of what a function does reads none. */
async function connect() {
  const sdk = await import("@aws-sdk/client-s3");
  return { sdk, s3: new sdk.S3Client({ maxAttempts: 3 }) };
}

/** Reads a bucket that the function's role may read. */
export function s3Source({ bucket }: S3Setting): SourceReader {
  return {
    read: async (key) => {
      const { sdk, s3 } = await connect();
      try {
        const {
          Body,
          ContentType,
          ContentLength = 0,
        } = await s3.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }));
        if (ContentLength > MAX_FETCHED_BYTES) {
          throw new ContentFault(`The object holds more than ${MAX_FETCHED_BYTES} bytes.`);
        }
        const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
        return { bytes, filename: key.split("/").at(-1) ?? key, mime_type: ContentType ?? "" };
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) throw new ContentFault(`There is no object ${key}.`);
        throw bucketFault(error, bucket) ?? error;
      }
    },
    list: async (prefix, most) => {
      const keys: string[] = [];
      let next: string | undefined;
      do {
        const page = await listBucket(bucket, { prefix, limit: 1000, after: next });
        keys.push(...page.files.map(({ key }) => key));
        if (keys.length > most) throw new ContentFault(`The folder holds more than ${most} objects.`);
        next = page.next;
      } while (next !== undefined);
      return keys;
    },
  };
}

export type BucketQuery = {
  readonly prefix: string;
  readonly limit: number;
  readonly delimiter?: string;
  /** Where an earlier listing ended. */
  readonly after?: string | undefined;
};

/**
 * A part of what a bucket holds. Objects that stand for the folder itself are left out.
 *
 * @throws BucketFault when there is no such bucket, or the role may not list it
 */
export async function listBucket(
  bucket: string,
  { prefix, limit, delimiter, after }: BucketQuery,
): Promise<Listing> {
  const { sdk, s3 } = await connect();
  const asked = {
    Bucket: bucket,
    Prefix: prefix,
    MaxKeys: limit,
    ...(delimiter && { Delimiter: delimiter }),
    ...(after !== undefined && { ContinuationToken: after }),
  };
  try {
    const page = await s3.send(new sdk.ListObjectsV2Command(asked));
    const files = (page.Contents ?? []).flatMap(({ Key, Size, LastModified }) =>
      Key === undefined || Key === prefix || Key.endsWith(delimiter || "/")
        ? []
        : [{ key: Key, size: Size ?? null, last_modified: LastModified?.toISOString() ?? null }],
    );
    const folders = (page.CommonPrefixes ?? []).flatMap(({ Prefix }) => Prefix ?? []);
    return { folders, files, next: page.IsTruncated ? page.NextContinuationToken : undefined };
  } catch (error) {
    throw bucketFault(error, bucket) ?? error;
  }
}

function bucketFault(error: unknown, bucket: string): BucketFault | undefined {
  const name = error instanceof Error ? error.name : "";
  if (name === "NoSuchBucket") return new BucketFault("missing", bucket);
  return name === "AccessDenied" ? new BucketFault("refused", bucket) : undefined;
}
