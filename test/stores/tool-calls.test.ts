import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { endCall, startCall, startCallAgain } from "../../shared/stores/runs/tool-calls.ts";
import { startStores, type TestStores } from "../support/stores.ts";

let stores: TestStores;
beforeAll(async () => {
  stores = await startStores();
});
afterAll(() => stores.stop());

const answer = { text: "done", failed: false };

test("of many who start a call, one does", async () => {
  const starts = Array.from({ length: 8 }, (_, i) => startCall(stores.db, "run-a", "c1#d", `start-${i}`));
  const started = (await Promise.all(starts)).filter((one) => one.started);
  expect(started).toHaveLength(1);
});

test("who starts a call twice, because the answer was lost, has started it", async () => {
  await startCall(stores.db, "run-b", "c1#d", "mine");
  expect(await startCall(stores.db, "run-b", "c1#d", "mine")).toEqual({ started: true });
  expect(await startCall(stores.db, "run-b", "c1#d", "another")).toEqual({
    started: false,
    seen: { starts: 1 },
  });
});

test("a call that would do something else under the same id is another call", async () => {
  await startCall(stores.db, "run-c", "c1#d", "one");
  expect(await startCall(stores.db, "run-c", "c1#other", "two")).toEqual({ started: true });
});

test("a further start follows the start that was seen, once", async () => {
  await startCall(stores.db, "run-d", "c1#d", "one");
  const again = (start: string) => startCallAgain(stores.db, "run-d", "c1#d", 1, start);
  expect(await again("two")).toEqual({ started: true });
  expect(await again("two")).toEqual({ started: true });
  expect(await again("three")).toEqual({ started: false, seen: { starts: 2 } });
});

test("a call that has ended is never started again, and gives its answer", async () => {
  await startCall(stores.db, "run-e", "c1#d", "one");
  await endCall(stores.db, "run-e", "c1#d", answer);
  const ended = { started: false, seen: { starts: 1, answer } };
  expect(await startCall(stores.db, "run-e", "c1#d", "two")).toEqual(ended);
  expect(await startCallAgain(stores.db, "run-e", "c1#d", 1, "two")).toEqual(ended);
});

test("a call that has changed the session's state gives its changes; one whose changes have no room has not ended", async () => {
  const changes = { n: { add: 1 } };
  await startCall(stores.db, "run-s", "c1#d", "one");
  await endCall(stores.db, "run-s", "c1#d", { ...answer, changes });
  expect(await startCall(stores.db, "run-s", "c1#d", "two")).toEqual({
    started: false,
    seen: { starts: 1, answer: { ...answer, changes } },
  });
  const large = { book: { set: randomBytes(100_000).toString("base64") } };
  await startCall(stores.db, "run-s", "c2#d", "one");
  await endCall(stores.db, "run-s", "c2#d", { ...answer, changes: large });
  expect(await startCall(stores.db, "run-s", "c2#d", "two")).toEqual({ started: false, seen: { starts: 1 } });
});

test("an answer that no item can hold is forgotten, the call is not", async () => {
  await startCall(stores.db, "run-f", "c1#d", "one");
  await endCall(stores.db, "run-f", "c1#d", { text: randomBytes(400_000).toString("base64"), failed: false });
  expect(await startCall(stores.db, "run-f", "c1#d", "two")).toMatchObject({
    started: false,
    seen: { answer: { text: expect.stringContaining("too large") } },
  });
});

test("a call that gave files is known with them", async () => {
  const files = {
    images: [{ id: "1", mime_type: "image/png", object: { key: "k", sha256: "0", bytes: 1 } }],
  };
  await startCall(stores.db, "run-files", "c1#d", "one");
  await endCall(stores.db, "run-files", "c1#d", { ...answer, media: files });
  const again = await startCall(stores.db, "run-files", "c1#d", "two");
  expect(again).toEqual({ started: false, seen: { starts: 1, answer: { ...answer, media: files } } });
});
