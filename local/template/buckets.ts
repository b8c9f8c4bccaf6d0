import type { BucketCors, CorsRule } from "../s3/bucket-cors.ts";
import type { Resource } from "./stack.ts";

/** Every bucket of the template, by its name. */
export const bucketNames = (resources: readonly Resource[]): string[] =>
  resources.filter(({ type }) => type === "AWS::S3::Bucket").map(({ name }) => name);

/** What pages of other origins may do with each bucket. */
export const bucketCors = (resources: readonly Resource[]): BucketCors =>
  new Map(
    resources
      .filter(({ type }) => type === "AWS::S3::Bucket")
      .map(({ name, properties }) => [name, corsRules(properties.CorsConfiguration as Cors | undefined)]),
  );

type Cors = {
  readonly CorsRules?: readonly {
    readonly AllowedOrigins: readonly string[];
    readonly AllowedMethods: readonly string[];
    readonly AllowedHeaders?: readonly string[];
  }[];
};

const corsRules = ({ CorsRules = [] }: Cors = {}): CorsRule[] =>
  CorsRules.map(({ AllowedOrigins, AllowedMethods, AllowedHeaders = [] }) => ({
    origins: AllowedOrigins,
    methods: AllowedMethods,
    headers: AllowedHeaders,
  }));

/** Every vector bucket of the template, by its name. */
export const vectorBucketNames = (resources: readonly Resource[]): string[] =>
  resources.filter(({ type }) => type === "AWS::S3Vectors::VectorBucket").map(({ name }) => name);
