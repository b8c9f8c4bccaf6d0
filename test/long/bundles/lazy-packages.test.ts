import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Metafile } from "esbuild";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { bundleRegistry, writeBundle } from "../../../build/bundles/bundle-function.ts";
import { serveOnLoopback } from "../../../local/machine/listen-on-loopback.ts";
import { type McpProcess, startMcpServer } from "../../engine/mcp/start-server.ts";
import { aDocx, aPdf } from "../../knowledge/sample-files.ts";
import { type CallPlaces, calls } from "../../support/lazy-packages/calls.ts";
import { testMetafiles } from "../../support/test-metafiles.ts";
import "../../support/bundled.ts";

/** What comes of a call that needs more than its request to be refused. */
const results: Readonly<Record<string, unknown>> = {
  "shared/engine/model/count-tokens.ts → gpt-tokenizer/encoding/o200k_base": 4,
  "shared/engine/tool/mcp/connect-mcp.ts → @modelcontextprotocol/client": "5",
  "shared/engine/tool/mcp/connect-mcp.ts → @modelcontextprotocol/client/stdio": "ENOENT",
  "shared/engine/tool/compile-schema.ts → ajv-formats": [undefined, expect.stringContaining("date")],
  "shared/engine/tool/compile-schema.ts → ajv/dist/2020.js": [undefined, expect.stringContaining("date")],
  "shared/evals/read-dataset.ts → csv-parse/sync": [["a", "b"]],
  "shared/http/input/multipart.ts → busboy": [["a", "one"]],
  "shared/knowledge/readers/html-text.ts → htmlparser2": "one",
  "shared/knowledge/readers/parse-xml.ts → htmlparser2": ["a", "b"],
  "shared/knowledge/readers/read-docx.ts → mammoth": [{ text: "One.\n\n", about: {} }],
  "shared/knowledge/readers/read-eml.ts → postal-mime": [
    { text: "Subject: Tides\n\nHigh at six.", about: { subject: "Tides" } },
  ],
  "shared/knowledge/readers/read-pdf.ts → unpdf": [{ text: "One.", about: { page: 1 } }],
  "shared/knowledge/readers/stream-csv.ts → csv-parse": [{ text: "a, b\n1, 2", about: {}, continues: false }],
  "shared/knowledge/readers/text-encoding.ts → chardet":
    "こんにちは。今日はとてもいい天気です。散歩をしましょう。",
  "shared/knowledge/sites/page-links.ts → htmlparser2": ["https://a.example/b"],
  "shared/knowledge/sites/robots.ts → robots-parser": true,
  "shared/knowledge/sources/read-blob-list.ts → htmlparser2": { folders: [], files: [], next: "n" },
  "shared/outbound/event-bus.ts → @aws-sdk/client-eventbridge": expect.objectContaining({ isFinal: true }),
  "shared/outbound/task-tokens.ts → @aws-sdk/client-sfn": expect.objectContaining({ isFinal: true }),
  "shared/stores/objects/connect-objects.ts → @aws-sdk/s3-request-presigner":
    expect.stringContaining("X-Amz-Signature="),
  "shared/stores/objects/upload-urls.ts → @aws-sdk/s3-request-presigner":
    expect.stringContaining("X-Amz-Signature="),
};
const REFUSED = 400;

/** Refuses as AWS does, in the form of the service that a request is signed for; S3 writes XML. */
const refusing = createServer((request, response) => {
  const isS3 = /\/s3\/aws4_request/.test(request.headers.authorization ?? "");
  response.writeHead(REFUSED, { "content-type": isS3 ? "application/xml" : "application/json" });
  request.resume();
  const error = { __type: "ValidationException", message: "refused" };
  response.end(
    isS3
      ? "<Error><Code>InvalidRequest</Code><Message>refused</Message></Error>"
      : JSON.stringify({ ...error, error: { message: "refused" }, type: "error" }),
  );
});

let folder: string;
let mcp: McpProcess;
let stop: () => Promise<void>;
let places: CallPlaces;
let bundled: typeof calls;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "lazy-packages-"));
  mcp = await startMcpServer();
  const served = await serveOnLoopback(refusing);
  stop = served.stop;
  places = { refusing: served.address, mcp: mcp.url, docx: aDocx(["One."]), pdf: aPdf(["One."]) };
  const region = { AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "AKIATEST", AWS_SECRET_ACCESS_KEY: "secret" };
  for (const [name, value] of Object.entries({ ...region, AWS_ENDPOINT_URL: served.address }))
    vi.stubEnv(name, value);
  const outdir = join(folder, "bundle");
  const registry = join(import.meta.dirname, "../../support/lazy-packages/calls.ts");
  // As functions are bundled for a deployment.
  const bundle = await bundleRegistry({ registry, outdir, minify: true, packages: "bundle" });
  await writeBundle(outdir, bundle, true);
  ({ calls: bundled } = await import(pathToFileURL(join(outdir, "index.mjs")).href));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([mcp?.stop(), stop?.()]);
  rmSync(folder, { recursive: true, force: true });
});

describe("in a bundle", () => {
  test.each(Object.keys(calls))("%s works", async (name) => {
    expect(await bundled[name]?.(places)).toEqual(results[name] ?? expectedOf(name));
  });
});

const expectedOf = (name: string): unknown => (name.includes("@orama/stemmers/") ? true : REFUSED);

test("every package that a function imports while it runs is called here", () => {
  const imported = Object.values(testMetafiles()).flatMap(lazyPackages);
  expect([...new Set(imported)].sort()).toEqual(Object.keys(calls).sort());
});

/** Modules of the platform alone: what packages import of each other is theirs. */
function lazyPackages({ inputs }: Metafile): string[] {
  return (
    Object.entries(inputs)
      // What the console's page loads is called by the tests in a browser.
      .filter(([path]) => !path.includes("node_modules/") && !path.startsWith("console/"))
      .flatMap(([path, { imports = [] }]) =>
        imports
          .filter(({ kind, original = "." }) => kind === "dynamic-import" && !/^[./]/.test(original))
          .map(({ original }) => `${path} → ${original}`),
      )
  );
}
