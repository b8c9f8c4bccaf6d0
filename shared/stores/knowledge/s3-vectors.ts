import type { S3VectorsClientConfig } from "@aws-sdk/client-s3vectors";
import * as v from "valibot";
import { inBatches } from "../in-batches.ts";
import { supportedFilter } from "./supported-filter.ts";
import type { Chunk, Hit, VectorQuery, VectorStore } from "./vector-store.ts";

/** @source AWS documentation, S3 Vectors limits */
const PUT_VECTORS = 500;
const DELETE_VECTORS = 500;
const GET_VECTORS = 100;
const MAX_ATTEMPTS = 5;
const CONNECTION_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 20_000;

/** Metadata that is stored but not searched; it is configured when an index is created. */
const CARRIED = ["text", "about"];

const Carried = v.looseObject({ text: v.string(), about: v.string() });
const About = v.record(v.string(), v.unknown());

/**
 * Chunks in S3 Vectors: one index there for each index of ours, created with the first chunk.
 *
 * Its client is loaded with the first call: most requests do not need it.
 *
 * @param bucket    name of the vector bucket
 * @param endpoint  the service's endpoint and credentials, if they are not those of the environment
 */
export function s3Vectors(bucket: string, endpoint: S3VectorsClientConfig = {}): VectorStore {
  let loading: ReturnType<typeof loadClient> | undefined;
  const connect = () => {
    loading ??= loadClient(endpoint);
    return loading;
  };
  return {
    put: (index, chunks) => put({ connect, bucket, index }, chunks),
    get: (index, keys) => get({ connect, bucket, index }, keys),
    texts: (index, keys) => texts({ connect, bucket, index }, keys),
    remove: (index, keys) => remove({ connect, bucket, index }, keys),
    query: (index, query) => search({ connect, bucket, index }, query),
  };
}

async function loadClient(endpoint: S3VectorsClientConfig) {
  const sdk = await import("@aws-sdk/client-s3vectors");
  const client = new sdk.S3VectorsClient({
    ...endpoint,
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
  });
  return { sdk, client };
}

type Place = {
  readonly connect: () => ReturnType<typeof loadClient>;
  readonly bucket: string;
  readonly index: string;
};

const named = ({ bucket, index }: Place) => ({ vectorBucketName: bucket, indexName: index });

async function put(place: Place, chunks: readonly Chunk[]): Promise<void> {
  const { sdk, client } = await place.connect();
  await inBatches(chunks, PUT_VECTORS, async (batch) => {
    const vectors = batch.map(({ key, vector, tags, text, about }) => ({
      key,
      data: { float32: [...vector] },
      metadata: { ...copied(tags), text, about: JSON.stringify(about) },
    }));
    const write = () => client.send(new sdk.PutVectorsCommand({ ...named(place), vectors }));
    try {
      await write();
    } catch (error) {
      if (!(error instanceof sdk.NotFoundException)) throw error;
      await createIndex(place, batch[0]?.vector.length ?? 0);
      await write();
    }
  });
}

/** Another process may have created it already. */
async function createIndex(place: Place, dimension: number): Promise<void> {
  const { sdk, client } = await place.connect();
  try {
    await client.send(
      new sdk.CreateIndexCommand({
        ...named(place),
        dataType: "float32",
        dimension,
        distanceMetric: "cosine",
        metadataConfiguration: { nonFilterableMetadataKeys: CARRIED },
      }),
    );
  } catch (error) {
    if (!(error instanceof sdk.ConflictException)) throw error;
  }
}

/** The client's document types do not accept read-only lists. */
const copied = (tags: Chunk["tags"]) =>
  Object.fromEntries(
    Object.entries(tags).map(([key, value]) => [key, isList(value) ? [...value] : value] as const),
  );

const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);

async function get(place: Place, keys: readonly string[]): Promise<Chunk[]> {
  const { sdk, client } = await place.connect();
  const chunks: Chunk[] = [];
  await inBatches(keys, GET_VECTORS, async (batch) => {
    const request = { ...named(place), keys: batch, returnData: true, returnMetadata: true };
    const answer = await unlessMissing(place, () => client.send(new sdk.GetVectorsCommand(request)));
    for (const { key, data, metadata } of answer?.vectors ?? []) {
      const { text, about, ...tags } = v.parse(Carried, metadata);
      // Tags are all that is put into the metadata beside these two.
      if (key)
        chunks.push({
          key,
          vector: data?.float32 ?? [],
          tags: tags as Chunk["tags"],
          text,
          about: aboutOf(about),
        });
    }
  });
  return chunks;
}

async function texts(place: Place, keys: readonly string[]): Promise<Hit[]> {
  const { sdk, client } = await place.connect();
  const hits: Hit[] = [];
  await inBatches(keys, GET_VECTORS, async (batch) => {
    const request = { ...named(place), keys: batch, returnMetadata: true };
    const answer = await unlessMissing(place, () => client.send(new sdk.GetVectorsCommand(request)));
    for (const { key, metadata } of answer?.vectors ?? []) {
      const { text, about } = v.parse(Carried, metadata);
      if (key) hits.push({ key, text, about: aboutOf(about) });
    }
  });
  return hits;
}

async function remove(place: Place, keys: readonly string[]): Promise<void> {
  const { sdk, client } = await place.connect();
  await inBatches(keys, DELETE_VECTORS, async (batch) => {
    await unlessMissing(place, () =>
      client.send(new sdk.DeleteVectorsCommand({ ...named(place), keys: batch })),
    );
  });
}

async function search(place: Place, { vector, top, filter }: VectorQuery): Promise<Hit[]> {
  const { sdk, client } = await place.connect();
  const supported = supportedFilter(filter);
  const request = {
    ...named(place),
    topK: top,
    queryVector: { float32: [...vector] },
    returnMetadata: true,
    ...(supported && { filter: supported }),
  };
  const hits: Hit[] = [];
  let nextToken: string | undefined;
  do {
    const page = { ...request, ...(nextToken !== undefined && { nextToken }) };
    const answer = await unlessMissing(place, () => client.send(new sdk.QueryVectorsCommand(page)));
    for (const { key, metadata } of answer?.vectors ?? []) {
      const { text, about } = v.parse(Carried, metadata);
      if (key) hits.push({ key, text, about: aboutOf(about) });
    }
    nextToken = answer?.nextToken;
  } while (nextToken !== undefined && hits.length < top);
  return hits;
}

const aboutOf = (text: string): Hit["about"] => v.parse(About, JSON.parse(text));

/** An index without any chunk does not exist yet, and counts as empty. */
async function unlessMissing<T>({ connect }: Place, call: () => Promise<T>): Promise<T | undefined> {
  const { sdk } = await connect();
  try {
    return await call();
  } catch (error) {
    if (error instanceof sdk.NotFoundException) return undefined;
    throw error;
  }
}
