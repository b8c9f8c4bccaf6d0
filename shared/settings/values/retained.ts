import * as v from "valibot";
import { tableNames } from "../table-env.ts";

const tableName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_.-]{3,255}$/, "must be the name of a table"));
const bucketName = v.pipe(
  v.string(),
  v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket"),
);
const keyArn = v.pipe(
  v.string(),
  v.regex(/^arn:[a-z-]+:kms:[a-z0-9-]+:\d{12}:key\/(mrk-)?[0-9a-f-]{32,36}$/, "must be the ARN of a key"),
);

/**
 * What an earlier deployment left, for the next one to take over. Tables and the bucket become resources of the new
 * stack under the names that they have. A vector bucket and a key cannot be imported by a name, so they are used and stay
 * outside of the stack.
 *
 * @source CloudFormation, `ImportExistingResources`: imports what the template names by its primary identifier
 */
export const Retained = v.strictObject({
  tables: v.optional(v.strictObject(v.entriesFromList(tableNames, v.optional(tableName))), {}),
  objects: v.optional(bucketName),
  vectors: v.optional(bucketName),
  key: v.optional(keyArn),
});
export type Retained = v.InferOutput<typeof Retained>;
