import { mkdirSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { JsonAnswer } from "../aws/json-answer.ts";
import type { AwsRequest } from "../iam/required-permissions.ts";
import { replaceFile } from "../machine/whole-file.ts";
import { matchesVectorFilter } from "./vector-filter.ts";

export type Vectors = {
  readonly createBuckets: (names: readonly string[]) => void;
  /** Answers one request of an S3 Vectors client. */
  readonly answer: (request: AwsRequest) => Promise<JsonAnswer>;
};

type Metadata = Record<string, unknown>;
type Vector = {
  readonly key: string;
  readonly data: { readonly float32: number[] };
  readonly metadata: Metadata;
};
type Index = {
  readonly dimension: number;
  readonly carried: readonly string[];
  readonly vectors: Map<string, Vector>;
};
type Operation = (name: string, body: Metadata) => Promise<object>;

/** @source AWS documentation, S3 Vectors limits; results of a query since June 2026 */
const LIMITS = {
  put: 500,
  delete: 500,
  get: 100,
  results: 10_000,
  page: 1_000,
  indexes: 100,
  metadataBytes: 40_960,
  filterableBytes: 2_048,
  keys: 50,
  carriedKeys: 10,
  dimension: 4_096,
  keyChars: 1_024,
} as const;

/** Of the files, each of which holds an index. */
const SUFFIX = ".json";

/** An error of the service: malformed, missing or conflicting. */
class RequestError extends Error {
  readonly status: number;
  readonly type: string;

  constructor(status: number, type: string, message: string) {
    super(message);
    this.status = status;
    this.type = type;
  }
}

const invalid = (message: string): RequestError => new RequestError(400, "ValidationException", message);

/**
 * S3 Vectors in this process. It enforces the limits of the service. Search is exact.
 *
 * @param folder  contains one file per index
 */
export function openVectors(folder: string): Vectors {
  mkdirSync(folder, { recursive: true });
  const buckets = new Set<string>();
  const indexes = new Map<string, Promise<Index | undefined>>();
  const fileOf = (name: string) => join(folder, `${encodeURIComponent(name)}${SUFFIX}`);
  const find = (name: string) => {
    const found = indexes.get(name) ?? readIndex(fileOf(name));
    indexes.set(name, found);
    return found;
  };
  const existing = async (name: string): Promise<Index> => {
    const index = await find(name);
    if (!index) throw new RequestError(404, "NotFoundException", "The specified index could not be found");
    return index;
  };
  const changes = new Map<string, Promise<object>>();
  /** Serializes the changes of an index, so that the newest is also the last one written to disk. */
  const serialized =
    (change: Operation): Operation =>
    (name, body) => {
      const next = () => change(name, body);
      const turn = (changes.get(name) ?? Promise.resolve()).then(next, next);
      changes.set(name, turn);
      return turn;
    };
  const operations: Readonly<Record<string, Operation>> = {
    CreateIndex: serialized(async (name, body) => {
      if (await find(name))
        throw new RequestError(409, "ConflictException", "An index with this name exists");
      const index = newIndex(body);
      indexes.set(name, Promise.resolve(index));
      await writeIndex(fileOf(name), index);
      return { indexArn: name };
    }),
    PutVectors: serialized(async (name, body) => {
      const index = await existing(name);
      for (const vector of checkedVectors(index, body)) index.vectors.set(vector.key, vector);
      await writeIndex(fileOf(name), index);
      return {};
    }),
    DeleteVectors: serialized(async (name, body) => {
      const index = await existing(name);
      for (const key of keysOf(body, LIMITS.delete)) index.vectors.delete(key);
      await writeIndex(fileOf(name), index);
      return {};
    }),
    GetVectors: async (name, body) => {
      const index = await existing(name);
      return { vectors: keysOf(body, LIMITS.get).flatMap((key) => shown(index.vectors.get(key), body)) };
    },
    DeleteIndex: serialized(async (name) => {
      indexes.delete(name);
      await rm(fileOf(name), { force: true });
      return {};
    }),
    ListIndexes: async (_, { vectorBucketName, maxResults = LIMITS.indexes, nextToken = "" }) => {
      const prefix = `${vectorBucketName}/`;
      const files = (await readdir(folder)).filter((file) => file.endsWith(SUFFIX));
      const names = files.map((file) => decodeURIComponent(file.slice(0, -SUFFIX.length)));
      const rest = names.filter((name) => name.startsWith(prefix) && name > String(nextToken)).sort();
      const page = rest.slice(0, Number(maxResults));
      const listed = page.map((name) => ({ vectorBucketName, indexName: name.slice(prefix.length) }));
      return { indexes: listed, ...(rest.length > page.length && { nextToken: page.at(-1) }) };
    },
    QueryVectors: async (name, body) => queryVectors(await existing(name), body),
  };
  return {
    createBuckets: (names) => {
      for (const name of names) buckets.add(name);
    },
    answer: async ({ operation, body }) => {
      const bucket = String(body.vectorBucketName);
      const perform = operations[operation];
      try {
        if (!perform) throw invalid(`${operation} is not known here`);
        if (!buckets.has(bucket))
          throw new RequestError(404, "NotFoundException", "There is no such vector bucket");
        return { status: 200, body: await perform(`${bucket}/${body.indexName}`, body) };
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        return { status: error.status, type: error.type, body: { message: error.message } };
      }
    },
  };
}

function newIndex({
  dimension,
  dataType,
  distanceMetric,
  indexName,
  metadataConfiguration,
}: Metadata): Index {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(String(indexName)))
    throw invalid("the name of the index is malformed");
  if (dataType !== "float32" || distanceMetric !== "cosine")
    throw invalid("only float32 and cosine are known here");
  const length = Number(dimension);
  if (!(length >= 1 && length <= LIMITS.dimension)) throw invalid("the dimension is out of bounds");
  const configuration = metadataConfiguration as { nonFilterableMetadataKeys?: string[] } | undefined;
  const carried = configuration?.nonFilterableMetadataKeys ?? [];
  if (carried.length > LIMITS.carriedKeys) throw invalid("too many keys that cannot be filtered by");
  return { dimension: length, carried, vectors: new Map() };
}

function listOf(value: unknown, most: number, what: string): unknown[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > most) {
    throw invalid(`${what} must have 1 to ${most} members`);
  }
  return value;
}

const keysOf = ({ keys }: Metadata, most: number): string[] => listOf(keys, most, "keys").map(String);

function checkedVectors(index: Index, { vectors }: Metadata): Vector[] {
  const list = listOf(vectors, LIMITS.put, "vectors") as Vector[]; // each is checked below
  if (new Set(list.map(({ key }) => key)).size < list.length) throw invalid("a key is there twice");
  for (const vector of list) checkVector(index, vector);
  return list;
}

function checkVector(index: Index, { key, data, metadata }: Vector): void {
  if (typeof key !== "string" || key === "" || key.length > LIMITS.keyChars)
    throw invalid("a key is malformed");
  checkNumbers(index, data?.float32);
  const filterable = Object.fromEntries(
    Object.entries(metadata).filter(([name]) => !index.carried.includes(name)),
  );
  if (bytesOf(metadata) > LIMITS.metadataBytes) throw invalid("the metadata is larger than 40 KB");
  if (bytesOf(filterable) > LIMITS.filterableBytes)
    throw invalid("the filterable metadata is larger than 2 KB");
  if (Object.keys(metadata).length > LIMITS.keys) throw invalid("the metadata has more than 50 keys");
  for (const value of Object.values(filterable)) {
    const values = Array.isArray(value) ? value : [value];
    if (values.length === 0 || !values.every((one) => ["string", "number", "boolean"].includes(typeof one))) {
      throw invalid("metadata must be text, numbers, booleans, or lists of them");
    }
  }
}

function checkNumbers(index: Index, numbers: unknown): asserts numbers is number[] {
  const isVector = Array.isArray(numbers) && numbers.every((x) => Number.isFinite(x));
  if (!isVector || numbers.length !== index.dimension)
    throw invalid("a vector has another dimension than its index");
  if (numbers.every((x) => x === 0)) throw invalid("a vector of zeros has no cosine");
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

function shown(vector: Vector | undefined, { returnData, returnMetadata }: Metadata): object[] {
  if (!vector) return [];
  const { key, data, metadata } = vector;
  return [{ key, ...(returnData === true && { data }), ...(returnMetadata === true && { metadata }) }];
}

function queryVectors(index: Index, body: Metadata): object {
  const { queryVector, filter, nextToken } = body;
  const topK = Number(body.topK);
  if (!(topK >= 1 && topK <= LIMITS.results)) throw invalid(`topK must be 1 to ${LIMITS.results}`);
  const { float32 } = queryVector as { float32?: unknown };
  checkNumbers(index, float32);
  for (const name of index.carried) {
    if (JSON.stringify(filter ?? {}).includes(`"${name}":`)) throw invalid(`${name} cannot be filtered by`);
  }
  const nearest = [...index.vectors.values()]
    .filter(({ metadata }) => filter === undefined || matchesVectorFilter(metadata, filter as Metadata))
    .map((vector) => ({ vector, distance: 1 - cosine(float32, vector.data.float32) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, topK);
  const from = nextToken === undefined ? 0 : Number(nextToken);
  const page = nearest.slice(from, from + LIMITS.page);
  return {
    vectors: page.flatMap(({ vector }) => shown(vector, { ...body, returnData: false })),
    distanceMetric: "cosine",
    ...(from + LIMITS.page < nearest.length && { nextToken: String(from + LIMITS.page) }),
  };
}

function cosine(a: readonly number[], b: readonly number[]): number {
  const product = a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0);
  return product / (Math.hypot(...a) * Math.hypot(...b));
}

async function readIndex(file: string): Promise<Index | undefined> {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { dimension, carried, vectors } = JSON.parse(text);
  return { dimension, carried, vectors: new Map(vectors.map((vector: Vector) => [vector.key, vector])) };
}

const writeIndex = (file: string, { dimension, carried, vectors }: Index): Promise<void> =>
  replaceFile(file, JSON.stringify({ dimension, carried, vectors: [...vectors.values()] }));
