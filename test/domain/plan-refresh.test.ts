import { expect, test } from "vitest";
import { newContent, planCompletion, planRefresh } from "../../shared/domain/knowledge/content-plans.ts";

const upload = {
  id: "c",
  knowledge_id: "k",
  owner: null,
  name: "n",
  description: "",
  type: "url",
  size: 0,
  metadata: null,
  input: { kind: "url", url: "https://example.com/a.txt" } as const,
  options: {},
};
const live = { index: "i", hash: "h", chunks: 2, written: 2 };

test("a content that is fetched again keeps what searches find, and begins anew", () => {
  const begun = newContent(upload, 1);
  expect(planRefresh(begun, 2)).toBeUndefined();
  const file = { object: { key: "k", sha256: "s", bytes: 1 }, filename: "a.txt", mime_type: "text/plain" };
  const done = { ...planCompletion(begun, live, 1, 2), fetched: file, attempt: 3 };
  const again = planRefresh(done, 5);
  expect(again).toMatchObject({ status: "processing", revision: 2, attempt: 0, live, created_at: 1 });
  expect(again).not.toHaveProperty("fetched");
  expect(planRefresh({ ...done, removed: true }, 5)).toBeUndefined();
});

test("a folder that is fetched again is listed again", () => {
  const input = { kind: "folder", source_id: "s", prefix: "p/", children: ["a"] } as const;
  const folder = {
    ...newContent({ ...upload, input: { ...input, children: ["a"] } }, 1),
    status: "completed" as const,
  };
  expect(planRefresh(folder, 2)?.input).toEqual({ kind: "folder", source_id: "s", prefix: "p/" });
});
