import { describe, expect, test } from "vitest";
import { cloudFiles } from "../support/clouds/object-list.ts";
import type { SourcesWorld } from "./sources-world.ts";

const inFolders = Object.keys(cloudFiles).filter((key) => key.startsWith("manuals/"));

/** Tests of sources that ask for credentials: shown, listed and read by the platform's own roles. */
export function cloudsOverHttp({ maria, shelf, shelfId, clouds }: SourcesWorld): void {
  const files = (id: string, query = "") => maria.get(`/knowledge/${shelfId}/sources/${id}/files${query}`);
  const add = (form: Record<string, string>) =>
    maria.post(`/knowledge/remote-content?knowledge_id=${shelfId}`, { form });

  describe("sources in clouds", () => {
    test("are listed with where they are, and without what gives access", async () => {
      const { json, text } = await maria.get(`/knowledge/${shelfId}/sources`);
      expect(json.map(({ type, metadata }: { type: string; metadata: object }) => [type, metadata])).toEqual([
        ["gcs", { bucket: "team-files" }],
        ["azureblob", { account: "acmefiles", container: "team-files" }],
        ["sharepoint", { site: "acme.sharepoint.com/sites/team" }],
        ["github", { repo: "acme/team-files" }],
      ]);
      expect(text).not.toContain("sources/");
    });
  });

  test("folders of clouds are read, each file a content that is found", { timeout: 180_000 }, async () => {
    const read = async (id: string) => {
      const form = { config_id: id, path: "manuals/", name: id, metadata: JSON.stringify({ from: id }) };
      const { status, json } = await add(form);
      expect(status).toBe(202);
      expect((await shelf.ended(json.id)).status).toBe("completed");
      const found = await shelf.found({ query: "pangolins", filters: { from: id }, max_results: 50 });
      const names = new Set(found.map(({ name }) => name));
      expect([...names].toSorted()).toEqual(inFolders.map((key) => `${id}/${key.slice("manuals/".length)}`));
    };
    // All at once: a folder looks at its files every few seconds.
    await Promise.all(clouds.map(({ setting }) => read(setting.id)));
  });

  describe.each(clouds.map((cloud) => [cloud.setting.id, cloud] as const))("the source %s", (id, cloud) => {
    test("shows its files and folders page by page", async () => {
      const { status, json } = await files(id, "?limit=1");
      expect(status).toBe(200);
      expect(json).toMatchObject({
        source_id: id,
        prefix: "",
        folders: [{ prefix: "manuals/", name: "manuals", is_empty: false }],
        files: [],
        meta: { page: 1, limit: 1, total_pages: 2 },
      });
      const second = (await files(id, "?limit=1&page=2")).json;
      expect(second).toMatchObject({
        folders: [],
        files: [{ key: "other.txt", name: "other.txt", size: 23, content_type: "text/plain" }],
        meta: { total_pages: 2, total_count: 2 },
      });
      expect((await files(id, "?page=9")).json).toMatchObject({ folders: [], files: [] });
    });

    test("that is asked too much is 503 with the time to wait; one that refuses is asked with new credentials", async () => {
      cloud.answerNext({ status: 429, headers: { "retry-after": "9" } });
      const busy = await files(id);
      expect(busy.status).toBe(503);
      expect(busy.headers.get("retry-after")).toBe("9");
      for (const status of [401, 403]) {
        cloud.answerNext({ status });
        expect((await files(id)).status).toBe(200);
      }
    });

    test("fails a content that it does not hold, and says so", async () => {
      const { json } = await add({ config_id: id, path: "manuals/none.txt" });
      const { status, status_message } = await shelf.ended(json.id);
      expect({ status, status_message }).toEqual({
        status: "failed",
        status_message: expect.stringContaining("manuals/none.txt"),
      });
    });
  });

  describe("a private repository", () => {
    test("is the only one that its token is used for", async () => {
      const other = { config_id: "github", path: "x.md", source_params: '{"repo":"acme/secrets"}' };
      expect((await add(other)).status).toBe(400);
      const same = { config_id: "github", path: "other.txt", source_params: '{"repo":"acme/team-files"}' };
      expect((await add(same)).status).toBe(202);
    });
  });

  describe("a source whose credentials serve no more", () => {
    test("is 500 when it is listed, and fails contents with a reason", async () => {
      for (const { setting, replaceSecret } of clouds) {
        replaceSecret();
        const { status, json } = await files(setting.id);
        expect([setting.id, status]).toEqual([setting.id, 500]);
        expect(json.detail).toMatch(/may not be read|No access to/);
      }
      const { json } = await add({ config_id: "azure", path: "other.txt", name: "refused" });
      expect((await shelf.ended(json.id)).status_message).toMatch(/may not be read/);
    });
  });
}
