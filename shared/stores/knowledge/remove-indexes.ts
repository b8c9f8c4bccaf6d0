/**
 * Removes every index of a vector bucket, with its vectors. A bucket that does not exist has none.
 *
 * @throws what the service answers otherwise; what is removed until then stays removed
 */
export async function removeIndexes(vectorBucketName: string): Promise<void> {
  const sdk = await import("@aws-sdk/client-s3vectors");
  const client = new sdk.S3VectorsClient({});
  try {
    for (;;) {
      // Always the first page: its indexes are deleted before the next request.
      const { indexes = [], nextToken } = await client.send(new sdk.ListIndexesCommand({ vectorBucketName }));
      for (const { indexName } of indexes)
        await client.send(new sdk.DeleteIndexCommand({ vectorBucketName, indexName }));
      if (nextToken === undefined || indexes.length === 0) return;
    }
  } catch (error) {
    if (!(error instanceof sdk.NotFoundException)) throw error;
  }
}
