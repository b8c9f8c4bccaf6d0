import { ContentFault } from "../content-fault.ts";
import { MAX_FETCHED_BYTES } from "../fetch/guarded-fetch.ts";
import { type Listing, nameOfKey, type SourceQuery, type SourceReader } from "./source.ts";
import { SourceFault } from "./source-fault.ts";

type S3Setting = { readonly bucket: string };

/** Loads the client at its first use: most invocations need none. */
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
        return { bytes, filename: nameOfKey(key), mime_type: ContentType ?? "" };
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) throw new ContentFault(`There is no object ${key}.`);
        // S3 says so of a missing object too, to a role that may list a prefix alone.
        if (error instanceof Error && error.name === "AccessDenied")
          throw new SourceFault(
            "refused",
            `There is no object ${key}, or the bucket does not let it be read.`,
          );
        throw bucketFault(error, bucket) ?? error;
      }
    },
    async *pages(query) {
      let after: string | undefined;
      do {
        const { next, ...listing } = await listBucket(bucket, query, after);
        yield listing;
        after = next;
      } while (after !== undefined);
    },
  };
}

type BucketPage = Listing & { readonly next: string | undefined };

async function listBucket(
  bucket: string,
  { prefix, limit, delimiter }: SourceQuery,
  after: string | undefined,
): Promise<BucketPage> {
  const { sdk, s3 } = await connect();
  const input = {
    Bucket: bucket,
    Prefix: prefix,
    MaxKeys: limit,
    ...(delimiter && { Delimiter: delimiter }),
    ...(after !== undefined && { ContinuationToken: after }),
  };
  try {
    const page = await s3.send(new sdk.ListObjectsV2Command(input));
    const files = (page.Contents ?? []).flatMap(({ Key, Size, LastModified }) =>
      Key === undefined || Key === prefix || Key.endsWith(delimiter || "/")
        ? []
        : [{ key: Key, size: Size ?? null, last_modified: LastModified?.toISOString() ?? null }],
    );
    const folders = (page.CommonPrefixes ?? []).flatMap(({ Prefix }) => Prefix ?? []);
    const next = page.IsTruncated ? page.NextContinuationToken : undefined;
    return { folders, files, more: next !== undefined, next };
  } catch (error) {
    throw bucketFault(error, bucket) ?? error;
  }
}

function bucketFault(error: unknown, bucket: string): SourceFault | undefined {
  const name = error instanceof Error ? error.name : "";
  if (name === "NoSuchBucket") return new SourceFault("missing", `There is no bucket ${bucket}.`);
  return name === "AccessDenied"
    ? new SourceFault("refused", `The bucket ${bucket} may not be read.`)
    : undefined;
}
