import { rmSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openVectors } from "../../local/s3/vectors.ts";
import { temporaryFolder } from "./fixture-cloud.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const DIMENSION = 256;
const description = { dimension: DIMENSION, dataType: "float32", distanceMetric: "cosine" };

/** A client of the vectors as they are on disk now. */
function opened() {
  const vectors = openVectors(folder);
  vectors.createBuckets(["bucket"]);
  return (operation: string, body: object = {}) =>
    vectors.answer({
      service: "s3vectors",
      operation,
      body: { vectorBucketName: "bucket", indexName: "index", ...body },
    });
}
const keys = Array.from({ length: 500 }, (_, i) => `key-${i}`);
const vectors = keys.map((key) => ({ key, data: { float32: Array(DIMENSION).fill(0.123) }, metadata: {} }));

test("what is on disk is what was written last, whatever takes longer to write", async () => {
  const ask = opened();
  await ask("CreateIndex", description);
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all([ask("PutVectors", { vectors }), ask("DeleteVectors", { keys })]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await opened()("GetVectors", { keys: ["key-0"] })).toMatchObject({ body: { vectors: [] } });
  }
});

test("an index that two create at once is created by one of them", async () => {
  const ask = opened();
  const answers = await Promise.all([ask("CreateIndex", description), ask("CreateIndex", description)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});
