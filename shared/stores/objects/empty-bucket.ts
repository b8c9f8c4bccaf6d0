import { connectObjects } from "./connect-objects.ts";

/** Removes every object of a bucket. A bucket that does not exist has none. */
export async function emptyBucket(bucket: string): Promise<void> {
  const { NoSuchBucket } = await import("@aws-sdk/client-s3");
  try {
    await connectObjects(bucket).removeAll("");
  } catch (error) {
    if (!(error instanceof NoSuchBucket)) throw error;
  }
}
