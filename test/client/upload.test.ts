import { beforeEach, describe, expect, onTestFinished } from "vitest";
import { type Client, createClient, UploadError } from "../../client/index.ts";
import { type BreakingProxy, startBreakingProxy } from "../support/breaking-proxy.ts";
import type { RunningPlatform } from "../support/platform.ts";
import { test } from "../support/shared-platform.ts";

const LARGE_BYTES = 5_000_000;
const large = () => new File([`${crypto.randomUUID()} ${"x y z ".repeat(LARGE_BYTES / 5)}`], "large.txt");

let platform: RunningPlatform;
test.beforeAll(({ platform: shared }) => {
  platform = shared;
});
let proxy: BreakingProxy;
let client: Client;
beforeEach(async () => {
  proxy = await startBreakingProxy(platform.url);
  onTestFinished(() => proxy.stop());
  const token = platform.token("uploader", ["knowledge:read", "knowledge:write", "knowledge:delete"]);
  client = createClient({ baseUrl: proxy.url, token });
});
const sentTo = (pattern: RegExp) => proxy.requests.filter(({ line }) => pattern.test(line)).length;

test("a small file travels in the request, with its name and what describes it", async () => {
  const file = new File(["The cistern holds 4711 litres."], "cistern.txt", { type: "text/plain" });
  const progress: { sent: number; total: number }[] = [];
  const added = await client.knowledge.upload(file, {
    name: "cistern",
    metadata: { line: "pumps" },
    onProgress: (one) => progress.push(one),
  });
  expect(added).toMatchObject({ name: "cistern", metadata: { line: "pumps" } });
  const total = file.size;
  expect(progress).toEqual([
    { sent: 0, total },
    { sent: total, total },
  ]);
  expect(sentTo(/upload-url/)).toBe(0);
  const path = { content_id: added.id };
  await expect.poll(async () => (await client.getContentStatus({ path })).status).toBe("completed");
});

test("a large file goes to the bucket, and is found when it has been processed", async () => {
  // Large to send, and little to process.
  const file = new Blob([`The quay is 300 m long.${" ".repeat(LARGE_BYTES)}Boats moor there.`]);
  const added = await client.knowledge.upload(file, { filename: "quay.txt", description: "a quay" });
  expect(added).toMatchObject({ name: "quay.txt", description: "a quay" });
  expect(sentTo(/upload-url/)).toBe(1);
  const path = { content_id: added.id };
  await expect.poll(async () => (await client.getContentStatus({ path })).status).toBe("completed");
  expect(await client.getContent({ path })).toMatchObject({ size: String(file.size) });
});

describe("a bucket", () => {
  /** The proxy stands for the bucket. */
  const bucketIsProxy = () => {
    const address = { upload_id: "u", method: "PUT", url: `${proxy.url}/bucket`, headers: {}, expires_at: 0 };
    proxy.breakNext(/upload-url/, { status: 201, body: JSON.stringify(address) });
  };

  test("that refuses a file says so, once", async () => {
    bucketIsProxy();
    proxy.breakNext(/bucket/, { status: 403, body: "<Error/>" });
    const error = await client.knowledge.upload(large()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UploadError);
    expect(error).toMatchObject({ status: 403, message: "The bucket refused the file (403). Try it again." });
    expect(sentTo(/bucket/)).toBe(1);
  });

  test("that is busy or cannot be reached is asked again, and the file is added once", async () => {
    bucketIsProxy();
    const content = { id: "c", name: "large.txt", status: "processing" };
    proxy.breakNext(/bucket/, { status: 503 }, { cutAfter: -1 }, { status: 200, body: "" });
    proxy.breakNext(/POST .knowledge.content$/, { status: 202, body: JSON.stringify(content) });
    expect(await client.knowledge.upload(large())).toEqual(content);
    expect([sentTo(/bucket/), sentTo(/content$/)]).toEqual([3, 1]);
  });

  test("that stays away ends the upload, and so does the signal", async () => {
    bucketIsProxy();
    proxy.breakNext(/bucket/, { cutAfter: -1 }, { cutAfter: -1 }, { cutAfter: -1 });
    await expect(client.knowledge.upload(large())).rejects.toThrow(
      "The bucket cannot be reached. Try it again.",
    );
    bucketIsProxy();
    const reason = new Error("no time");
    const leaving = new AbortController();
    const onProgress = () => leaving.abort(reason);
    await expect(client.knowledge.upload(large(), { signal: leaving.signal, onProgress })).rejects.toBe(
      reason,
    );
    expect(sentTo(/content$/)).toBe(0);
  });
});

test("a file that could not be processed is refused before it is sent", async () => {
  const huge = { size: 10 ** 12, name: "huge.bin", type: "" } as unknown as File;
  await expect(client.knowledge.upload(huge)).rejects.toMatchObject({ status: 413 });
});
