import { expect, test } from "vitest";
import { withKeepAlive } from "../../shared/http/stream/with-keep-alive.ts";

test("a silence is filled with comments, and every frame passes in its order", async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const frames = async function* () {
    yield "one";
    await released;
    yield "two";
    yield "three";
  };
  const seen: string[] = [];
  for await (const frame of withKeepAlive(frames(), 5)) {
    seen.push(frame);
    if (seen.filter((one) => one.startsWith(":")).length === 2) release();
  }
  expect(seen.slice(0, 3)).toEqual(["one", ": keepalive\n\n", ": keepalive\n\n"]);
  expect(seen.filter((frame) => !frame.startsWith(":"))).toEqual(["one", "two", "three"]);
});

test("a source that fails makes the reader fail", async () => {
  const failing = async function* () {
    yield "one";
    throw new Error("broken");
  };
  const read = async () => {
    for await (const _ of withKeepAlive(failing()));
  };
  await expect(read()).rejects.toThrow("broken");
});

test("a reader that stops early ends the source", async () => {
  let ended = false;
  const endless = async function* () {
    try {
      while (true) yield "frame";
    } finally {
      ended = true;
    }
  };
  for await (const _ of withKeepAlive(endless())) break;
  await expect.poll(() => ended).toBe(true);
});

test("what a source throws after its reader has stopped disturbs no other", async () => {
  let fail = () => {};
  const failed = new Promise<void>((resolve) => {
    fail = resolve;
  });
  const late = async function* () {
    yield "one";
    await failed;
    throw new Error("too late");
  };
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  for await (const frame of withKeepAlive(late(), 5)) if (frame.startsWith(":")) break;
  fail();
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});
