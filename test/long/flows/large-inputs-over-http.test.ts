import { describe, expect } from "vitest";
import { MAX_BODY_BYTES } from "../../../shared/runtime/body-limit.ts";
import { clientOf } from "../../support/client.ts";
import { test } from "../../support/shared-platform.ts";

let client: ReturnType<typeof clientOf>;
test.beforeAll(({ platform }) => {
  client = clientOf(platform.url, platform.adminToken);
});

/** An answer shows at most a kilobyte of what was sent; the rest of it is words. */
const MOST_ANSWERED_BYTES = 4_000;

function formOf(fields: readonly (readonly [name: string, value: string | Blob])[]): FormData {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  return form;
}

describe("an answer about invalid input is small", () => {
  const large = "x".repeat(4_300_000);
  const cases: readonly (readonly [what: string, path: string, sent: Parameters<typeof client.post>[1]])[] = [
    [
      "a file as the message of a run",
      "/agents/assistant/runs",
      { form: formOf([["message", new Blob([large])]]) },
    ],
    [
      "a run without a message, with a large field",
      "/agents/assistant/runs",
      { form: formOf([["user_id", large]]) },
    ],
    [
      "a name of a megabyte",
      "/knowledge/content",
      {
        form: formOf([
          ["name", large.slice(0, 1e6)],
          ["text_content", "a"],
        ]),
      },
    ],
    [
      "a name in a file",
      "/knowledge/content",
      {
        form: formOf([
          ["name", new Blob([large])],
          ["text_content", "a"],
        ]),
      },
    ],
    ["a large member", "/schedules", { json: { name: large } }],
    ["a large name of a member", "/schedules", { json: { [large]: 1 } }],
    [
      "a hundred thousand wrong entries",
      "/components",
      { json: { name: 1, component_type: Array(100_000).fill({}) } },
    ],
  ];

  test.each(cases)("%s", async (_what, path, sent) => {
    const { status, text } = await client.post(path, sent);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(Buffer.byteLength(text)).toBeLessThan(MOST_ANSWERED_BYTES);
  });

  test("and still shows a small input as it is", async () => {
    const { status, json } = await client.post("/schedules", { json: { name: 7 } });
    expect(status).toBe(422);
    expect(json.detail.find(({ loc }: { loc: unknown[] }) => loc[1] === "name")?.input).toBe(7);
  });
});

describe("a form with more than is read is 413, and nothing of it is dropped", () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => [`f${i}`, "v"] as const);

  test("more fields", async () => {
    for (const form of [
      formOf([...many(1_000), ["message", "hi"]]),
      Object.fromEntries([...many(1_000), ["message", "hi"]]),
    ]) {
      const { status, json } = await client.post("/agents/assistant/runs", { form });
      expect({ status, ...json }).toEqual({
        status: 413,
        detail: "a form may have at most 1000 fields",
        error_code: "PAYLOAD_TOO_LARGE",
      });
    }
  });

  test("more files", async () => {
    const files = Array.from({ length: 101 }, () => ["files", new File(["a"], "a.txt")] as const);
    const { status, json } = await client.post("/agents/assistant/runs", {
      form: formOf([["message", "hi"], ...files]),
    });
    expect({ status, ...json }).toEqual({
      status: 413,
      detail: "a form may have at most 100 files",
      error_code: "PAYLOAD_TOO_LARGE",
    });
  });

  test("a longer name", async () => {
    const { status, json } = await client.post("/agents/assistant/runs", {
      form: formOf([
        ["message", "hi"],
        ["n".repeat(1_001), "v"],
      ]),
    });
    expect([status, json.error_code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });
});

describe("a body that is too large is 413 with the limit, however far it gets", () => {
  test.each([MAX_BODY_BYTES + 1, 6_500_000, 11_000_000])("of %i bytes", async (bytes) => {
    const form = formOf([
      ["message", "a".repeat(bytes)],
      ["stream", "false"],
    ]);
    const { status, json } = await client.post("/agents/assistant/runs", { form });
    expect({ status, ...json }).toEqual({
      status: 413,
      detail: "a request body may hold at most 4700000 bytes",
      error_code: "PAYLOAD_TOO_LARGE",
    });
  });

  test.each([MAX_BODY_BYTES + 1, 11_000_000])(
    "of knowledge, of %i bytes, names the way for larger files",
    async (bytes) => {
      const form = formOf([["file", new File(["a".repeat(bytes)], "a.txt")]]);
      const { status, json } = await client.post("/knowledge/content", { form });
      expect([status, json.error_code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
      expect(json.detail).toContain("4700000 bytes");
      expect(json.detail).toContain("POST /knowledge/content/upload-url");
    },
  );
});
