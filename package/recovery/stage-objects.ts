import { GetObjectCommand, ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import { STATE_PREFIX } from "./recovery-state.ts";

/** An object of a stage's bucket; its size in bytes. */
export type StageObject = { readonly key: string; readonly size: number };

/** Objects that are copied beside each other. */
export const OBJECTS_AT_ONCE = 8;

/** The objects of a stage's bucket, a page at a time, without what a recovery wrote down. */
export async function* objectsOf(s3: S3Client, Bucket: string): AsyncGenerator<StageObject[]> {
  let ContinuationToken: string | undefined;
  do {
    const page = await s3.send(new ListObjectsV2Command({ Bucket, ContinuationToken }));
    yield (page.Contents ?? []).flatMap(({ Key: key, Size: size = 0 }) =>
      key === undefined || key.startsWith(STATE_PREFIX) ? [] : [{ key, size }],
    );
    ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (ContinuationToken !== undefined);
}

/** The bytes of an object. */
export async function readObject(s3: S3Client, Bucket: string, Key: string): Promise<Uint8Array> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
  return (await Body?.transformToByteArray()) ?? new Uint8Array();
}
