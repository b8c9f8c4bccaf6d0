import type { Resource } from "./stack.ts";

/** Every bucket of the template, by its name. */
export const bucketNames = (resources: readonly Resource[]): string[] =>
  resources.filter(({ type }) => type === "AWS::S3::Bucket").map(({ name }) => name);

/** Every vector bucket of the template, by its name. */
export const vectorBucketNames = (resources: readonly Resource[]): string[] =>
  resources.filter(({ type }) => type === "AWS::S3Vectors::VectorBucket").map(({ name }) => name);
