import { inBatches } from "../in-batches.ts";
import type { ObjectStore } from "./object-store.ts";

const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** Addresses that are made within this time are the same. */
const SIGNED_ALIKE_MS = 900_000;
const SIGNED_SECONDS = 4_500;
/** Fewer than the connections that the client opens. */
const REMOVED_AT_A_TIME = 25;

/**
 * The bucket. Its client is loaded with the first object that is needed: most runs have none, and it would add a third
 * to what a function reads at its start.
 */
export function connectObjects(bucket: string): ObjectStore {
  let loading: ReturnType<typeof loadClient> | undefined;
  const client = () => {
    loading ??= loadClient();
    return loading;
  };
  return {
    put: async (Key, Body, sha256) => {
      const { sdk, s3 } = await client();
      const ChecksumSHA256 = Buffer.from(sha256, "hex").toString("base64");
      await s3.send(new sdk.PutObjectCommand({ Bucket: bucket, Key, Body, ChecksumSHA256 }));
    },
    get: async (Key) => {
      const { sdk, s3 } = await client();
      try {
        const { Body } = await s3.send(new sdk.GetObjectCommand({ Bucket: bucket, Key }));
        return await Body?.transformToByteArray();
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined;
        throw error;
      }
    },
    getRange: async (Key, from, bytes) => {
      const { sdk, s3 } = await client();
      const Range = `bytes=${from}-${from + bytes - 1}`;
      try {
        const { Body } = await s3.send(new sdk.GetObjectCommand({ Bucket: bucket, Key, Range }));
        return await Body?.transformToByteArray();
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return undefined;
        if (error instanceof sdk.S3ServiceException && error.name === "InvalidRange") return undefined;
        throw error;
      }
    },
    copy: async (from, to) => {
      const { sdk, s3 } = await client();
      const CopySource = `${bucket}/${from}`.split("/").map(encodeURIComponent).join("/");
      try {
        await s3.send(new sdk.CopyObjectCommand({ Bucket: bucket, Key: to, CopySource }));
        const { ContentLength } = await s3.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key: to }));
        return ContentLength ?? 0;
      } catch (error) {
        if (error instanceof sdk.S3ServiceException && error.name === "NoSuchKey") return undefined;
        throw error;
      }
    },
    sign: async (Key, ResponseContentType) => {
      const [{ sdk, s3 }, { getSignedUrl }] = await Promise.all([
        client(),
        import("@aws-sdk/s3-request-presigner"),
      ]);
      const now = Date.now();
      const signingDate = new Date(now - (now % SIGNED_ALIKE_MS));
      const get = new sdk.GetObjectCommand({ Bucket: bucket, Key, ResponseContentType });
      return getSignedUrl(s3, get, { signingDate, expiresIn: SIGNED_SECONDS });
    },
    removeAll: async (Prefix) => {
      const { sdk, s3 } = await client();
      for (;;) {
        // Always the first page: its objects are deleted before the next request.
        const page = await s3.send(new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix }));
        const keys = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
        await inBatches(
          keys,
          1,
          async ([Key]) => void (await s3.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key }))),
          REMOVED_AT_A_TIME,
        );
        if (keys.length === 0 || !page.IsTruncated) return;
      }
    },
  };
}

async function loadClient() {
  const sdk = await import("@aws-sdk/client-s3");
  const s3 = new sdk.S3Client({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
  });
  return { sdk, s3 };
}
