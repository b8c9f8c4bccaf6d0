import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { createChannel } from "../../shared/events/channel.ts";

test("values and promises of them are read in the order in which they were pushed", async () => {
  const channel = createChannel<string>();
  const { promise, resolve } = Promise.withResolvers<string>();
  channel.push(promise);
  channel.push("second");
  channel.end();
  resolve("first");
  const read: string[] = [];
  for await (const value of channel) read.push(value);
  expect(read).toEqual(["first", "second"]);
});

test("a promise that fails before the reader comes to it fails the reader, and not the process", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on("unhandledRejection", note);
  try {
    const channel = createChannel<string>();
    channel.push("first");
    channel.push(Promise.reject(new Error("the store is away")));
    channel.end();
    const reader = channel[Symbol.asyncIterator]();
    expect(await reader.next()).toEqual({ value: "first", done: false });
    await setImmediate();
    await expect(reader.next()).rejects.toThrow("the store is away");
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", note);
  }
});
