import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import { expect, test } from "vitest";
import { rebuiltContents } from "../../package/recovery/restored-content.ts";
import type { StoredRow } from "../../package/recovery/stored-row.ts";
import { newContent } from "../../shared/domain/knowledge/content-plans.ts";
import type { StoredContent } from "../../shared/schemas/knowledge/knowledge-content.ts";
import { contentAttributes, contentFrom, contentKey } from "../../shared/stores/knowledge/content-item.ts";

const NOW = 1_000;
const rule = rebuiltContents(NOW);

const object = { key: "knowledge/x", sha256: "00", bytes: 3 };
const input = { kind: "held" as const, file: { object, filename: "a.txt", mime_type: "text/plain" } };
const given = { id: "c1", knowledge_id: "docs", owner: null, name: "a", description: "", type: "text/plain" };
const upload = { ...given, size: 3, metadata: null, input, options: {} };
const live = { index: "docs-x", hash: "h", chunks: 2, written: 2 };
const { due_at: _, ...begun } = newContent(upload, 10);
const completed: StoredContent = { ...begun, status: "completed", live };

const rowOf = (content: StoredContent): StoredRow =>
  marshall({ ...contentKey(content), ...contentAttributes(content) }, { removeUndefinedValues: true });
const contentOf = (row: StoredRow | undefined) => row && contentFrom(unmarshall({ ...row }));

test("a content that is as it was keeps its vectors", () => {
  expect(rule.wanted(rowOf(completed), rowOf(completed))).toEqual(rowOf(completed));
});

test("one that changed since is embedded again from its stored bytes, as a later revision than both", () => {
  const changed = { ...completed, revision: 7, name: "b" };
  const wanted = contentOf(rule.wanted(rowOf(completed), rowOf(changed)));
  expect(wanted).toMatchObject({ name: "a", status: "processing", revision: 8, due_at: NOW, input });
  expect(wanted?.live).toBeUndefined();
});

test("one that was deleted since is embedded again", () => {
  expect(contentOf(rule.wanted(rowOf(completed), undefined))).toMatchObject({
    status: "processing",
    revision: 2,
  });
});

test("a second pass finds what the first one has written, and writes nothing", () => {
  for (const present of [rowOf({ ...completed, revision: 7, name: "b" }), undefined]) {
    const first = rule.wanted(rowOf(completed), present);
    expect(rebuiltContents(NOW + 60).wanted(rowOf(completed), first)).toEqual(first);
  }
  const removed = rule.wanted(undefined, rowOf(completed));
  expect(rebuiltContents(NOW + 60).wanted(undefined, removed)).toEqual(removed);
});

test("one that came later is left to the worker, which removes its vectors with it", () => {
  const wanted = contentOf(rule.wanted(undefined, rowOf(completed)));
  expect(wanted).toMatchObject({ removed: true, stale: [live] });
  expect(wanted?.due_at).toBeGreaterThanOrEqual(NOW);
});

test("other records of the table are as they were", () => {
  const tally = marshall({ pk: "tally#docs", sk: "tally", contents: 3 });
  expect(rule.wanted(tally, undefined)).toBe(tally);
  expect(rule.wanted(undefined, tally)).toBeUndefined();
});
