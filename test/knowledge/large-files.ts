import { describe, expect, test } from "vitest";
import { clientOf } from "../support/client.ts";
import { allScopes, knowledgeOf } from "./knowledge-client.ts";
import type { SourcesWorld } from "./sources-world.ts";

/** Tests of files that are larger than a request. */
export function largeFiles({ platform, maria, handbook }: SourcesWorld): void {
  describe("a large file", () => {
    /** More chunks than one request to the vector store takes, and as many blanks as make a file too large for a request. */
    const large = `${"Nothing to see here. ".repeat(140_000)}${" ".repeat(2_000_000)}Somewhere at the end there are capybaras.`;

    test("is sent to the bucket itself, and processed like any other", async () => {
      const bytes = Buffer.from(large);
      expect(bytes.length).toBeGreaterThan(4_700_000);
      const query = handbook.path().split("?")[1];
      const json = { filename: "large.txt", mime_type: "text/plain", size: bytes.length };
      const address = await maria.post(`/knowledge/content/upload-url?${query}`, { json });
      expect(address).toMatchObject({
        status: 201,
        json: { method: "PUT", headers: { "content-type": "text/plain" } },
      });
      const { upload_id, url, headers } = address.json;
      const form = { upload_id, name: "large" };
      expect((await handbook.upload(form)).status).toBe(400);
      const short = await fetch(url, { method: "PUT", headers, body: "short" });
      expect(short.status).toBe(403);
      const other = await fetch(url.replace(upload_id, "other"), { method: "PUT", headers, body: bytes });
      expect(other.status).toBe(403);
      expect((await fetch(url, { method: "PUT", headers, body: bytes })).status).toBe(200);
      const otto = knowledgeOf(clientOf(platform.url, platform.token("otto", allScopes)), query);
      expect((await otto.upload(form)).status).toBe(404);
      const { json: accepted } = await handbook.upload(form);
      expect(await handbook.ended(accepted.id)).toMatchObject({ status: "completed" });
      expect((await handbook.show(accepted.id)).json).toMatchObject({
        size: String(bytes.length),
        type: "text/plain",
      });
      const [hit] = await handbook.found({ query: "capybaras somewhere at the end", max_results: 1 });
      expect(hit?.content).toContain("capybaras");
      // All of its chunks go.
      await handbook.remove(accepted.id);
      expect(await handbook.found({ query: "capybaras", filters: {}, max_results: 5 })).not.toContainEqual(
        expect.objectContaining({ content_id: accepted.id }),
      );
    });

    test("of more than can be processed gets no address", async () => {
      const query = handbook.path().split("?")[1];
      const asked = (filename: string, size: number) =>
        maria.post(`/knowledge/content/upload-url?${query}`, { json: { filename, size } });
      const refused = await asked("x.pdf", 60_000_000);
      expect(refused).toMatchObject({ status: 413, json: { error_code: "PAYLOAD_TOO_LARGE" } });
      expect(refused.json.detail).toContain("a file that PdfReader reads may hold at most 50000000 bytes");
      expect((await asked("x.txt", 260_000_000)).status).toBe(413);
      expect((await asked("x.txt", 240_000_000)).status).toBe(201);
    });
  });
}
