/** Where and how a client uploads a file to the bucket itself. */
export type UploadAddress = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

export type UploadUrls = {
  /** A presigned URL for one file of exactly this size and type. @param seconds how long it is valid */
  readonly open: (key: string, size: number, mimeType: string, seconds: number) => Promise<UploadAddress>;
  /** Bytes of the uploaded file; undefined if there is none. */
  readonly sizeOf: (key: string) => Promise<number | undefined>;
};

/** Uploads to the bucket, for files that are too large for a request. Its client is loaded with the first one. */
export function connectUploads(bucket: string): UploadUrls {
  return {
    open: async (Key, size, mimeType, seconds) => {
      const [{ sdk, s3 }, { getSignedUrl }] = await Promise.all([
        loadClient(),
        import("@aws-sdk/s3-request-presigner"),
      ]);
      const put = new sdk.PutObjectCommand({
        Bucket: bucket,
        Key,
        ContentLength: size,
        ContentType: mimeType,
      });
      // Signed as headers, so that the bucket refuses another size or type.
      const signableHeaders = new Set(["content-length", "content-type"]);
      const url = await getSignedUrl(s3, put, { expiresIn: seconds, signableHeaders });
      return { url, headers: { "content-type": mimeType } };
    },
    sizeOf: async (Key) => {
      const { sdk, s3 } = await loadClient();
      try {
        const { ContentLength } = await s3.send(new sdk.HeadObjectCommand({ Bucket: bucket, Key }));
        return ContentLength ?? 0;
      } catch (error) {
        if (error instanceof sdk.NotFound) return undefined;
        throw error;
      }
    },
  };
}

async function loadClient() {
  const sdk = await import("@aws-sdk/client-s3");
  // The platform cannot know the checksum of a file that the client will send.
  return { sdk, s3: new sdk.S3Client({ maxAttempts: 3, requestChecksumCalculation: "WHEN_REQUIRED" }) };
}
