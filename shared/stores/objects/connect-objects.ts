import { inBatches } from "../in-batches.ts";

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

/**
 * Stores values that are too large for an item. Keys are content addresses, so a value is never overwritten; a copy of
 * what a client uploaded is the exception, and only its worker writes it.
 */
export type ObjectStore = {
  /** @param sha256 of the bytes, in hexadecimal; the store refuses bytes that arrive damaged */
  readonly put: (key: string, bytes: Uint8Array, sha256: string) => Promise<void>;
  /** Undefined when there is no such object. */
  readonly get: (key: string) => Promise<Uint8Array | undefined>;
  /** Some bytes of an object, fewer at its end; undefined when there is no such object, or it ends before. */
  readonly getRange: (key: string, from: number, bytes: number) => Promise<Uint8Array | undefined>;
  /** Copies an object within the store. @returns its bytes; undefined when there is no such object */
  readonly copy: (from: string, to: string) => Promise<number | undefined>;
  /**
   * An address that gives an object to whoever has it, for an hour at least. Made without a request; the same for a
   * quarter of an hour, so that browsers load an object once.
   *
   * @param mimeType  type under which it is given
   */
  readonly sign: (key: string, mimeType: string) => Promise<string>;
  /** Removes every object with a prefix; all of them where it is empty. Idempotent. */
  readonly removeAll: (prefix: string) => Promise<void>;
};
