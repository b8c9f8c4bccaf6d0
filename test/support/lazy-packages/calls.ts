import { countTokens } from "../../../shared/engine/model/count-tokens.ts";
import { createModels } from "../../../shared/engine/model/create-models.ts";
import { compileSchema } from "../../../shared/engine/tool/compile-schema.ts";
import { defineMcpTools } from "../../../shared/engine/tool/mcp/define-mcp-tools.ts";
import { rowsOfCsv } from "../../../shared/evals/read-dataset.ts";
import { multipartParts } from "../../../shared/http/input/multipart.ts";
import { connectEmbedder } from "../../../shared/knowledge/embedders/connect-embedder.ts";
import { languages, loadStems } from "../../../shared/knowledge/lexical/languages.ts";
import { htmlText } from "../../../shared/knowledge/readers/html-text.ts";
import { parseXml } from "../../../shared/knowledge/readers/parse-xml.ts";
import { readDocx } from "../../../shared/knowledge/readers/read-docx.ts";
import { readEml } from "../../../shared/knowledge/readers/read-eml.ts";
import { readPdf } from "../../../shared/knowledge/readers/read-pdf.ts";
import { streamCsv } from "../../../shared/knowledge/readers/stream-csv.ts";
import { decodedText } from "../../../shared/knowledge/readers/text-encoding.ts";
import { pageLinks } from "../../../shared/knowledge/sites/page-links.ts";
import { robotsOf } from "../../../shared/knowledge/sites/robots.ts";
import { readBlobList } from "../../../shared/knowledge/sources/read-blob-list.ts";
import { s3Source } from "../../../shared/knowledge/sources/s3-source.ts";
import { connectEventBus } from "../../../shared/outbound/event-bus.ts";
import { connectTaskTokens } from "../../../shared/outbound/task-tokens.ts";
import { connectSqs } from "../../../shared/queue/connect-sqs.ts";
import { connectFunctionVersions } from "../../../shared/runtime/functions/function-versions.ts";
import { invokeFunction } from "../../../shared/runtime/functions/invoke-function.ts";
import { startFunction } from "../../../shared/runtime/functions/start-function.ts";
import { searchLogs } from "../../../shared/runtime/search-logs.ts";
import { readSecret } from "../../../shared/runtime/secrets/read-secret.ts";
import { connectSchedulerRemoval } from "../../../shared/scheduler/connect-scheduler.ts";
import { removeIndexes } from "../../../shared/stores/knowledge/remove-indexes.ts";
import { s3Vectors } from "../../../shared/stores/knowledge/s3-vectors.ts";
import { connectObjects } from "../../../shared/stores/objects/connect-objects.ts";
import { emptyBucket } from "../../../shared/stores/objects/empty-bucket.ts";
import { connectUploads } from "../../../shared/stores/objects/upload-urls.ts";

/** Addresses of services that the calls need. */
export type CallPlaces = {
  /** Refuses every request with status 400; of AWS, of models, and of a site. */
  readonly refusing: string;
  /** An MCP server with the tool `math.add`. */
  readonly mcp: string;
  readonly docx: Uint8Array;
  readonly pdf: Uint8Array;
};

/** Uses what a module imports while it runs, and returns what can only come of that. */
type Call = (places: CallPlaces) => Promise<unknown>;

/** The status with which a service refused a call: the request was made and understood, and its answer too. */
async function refusedWith(call: Promise<unknown>): Promise<unknown> {
  const error: unknown = await call.then(
    () => new Error("was not refused"),
    (thrown) => thrown,
  );
  const status = [
    ["$metadata", "httpStatusCode"],
    ["$response", "statusCode"],
    ["statusCode"],
    ["cause", "statusCode"],
  ].map((path) => path.reduce<unknown>((inner, key) => Object(inner)[key], error));
  const known = status.find((one) => one !== undefined);
  if (known === undefined) throw error;
  return known;
}

const modelCall =
  (provider: string): Call =>
  async ({ refusing }) => {
    const MODEL = `${provider}:some-model`;
    const models = createModels({ MODEL, MODEL_BASE_URL: refusing, MODEL_API_KEY: "key" });
    const { model } = await models.resolve();
    const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "Hello" }] }];
    return refusedWith(Promise.resolve(model.doGenerate({ prompt })));
  };

const embedderCall =
  (provider: string): Call =>
  ({ refusing }) => {
    const env = { EMBEDDER: `${provider}:some-model`, EMBEDDER_BASE_URL: refusing, EMBEDDER_API_KEY: "key" };
    return refusedWith(connectEmbedder(env).embed(["a text"]));
  };

const asking = { run_id: "run-1", session_id: "session-1", user_id: "maria", secrets: {} };

const mcpTools = async ({ mcp }: CallPlaces) =>
  defineMcpTools({ url: mcp }).list(new AbortController().signal, asking);

const sqsCall: Call = async () => {
  const { sdk, client } = await connectSqs()();
  const QueueUrl = "http://sqs.eu-west-1.amazonaws.com/1/jobs";
  return refusedWith(client.send(new sdk.SendMessageCommand({ QueueUrl, MessageBody: "{}" })));
};

const mcpCall: Call = async (places) => {
  const tools = await mcpTools(places);
  const add = tools.find(({ name }) => name === "math_add");
  // The tool asks the context for nothing else.
  const context = { ...asking, signal: new AbortController().signal } as Parameters<
    NonNullable<typeof add>["execute"] & {}
  >[1];
  return add?.execute?.({ a: 2, b: 3 }, context);
};

const blocksOf = async function* (words: string) {
  yield Buffer.from(words);
};

const tableCall: Call = async () => {
  const parts: unknown[] = [];
  for await (const part of streamCsv(blocksOf("a,b\n1,2"))) parts.push(part);
  return parts;
};

const stemsOf = async () => {
  const stems = await loadStems(languages);
  return [...stems.values()].every((stem) => typeof stem("houses") === "string");
};

const FORM = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\none\r\n--b--\r\n';

/**
 * A call for every package that a module imports while it runs: `<module> → <package>`, as the bundler records it. What a
 * bundle makes of such an import is not what Node makes of it, and no type shows it: the chunk of a CommonJS package has a
 * default export and no other.
 */
export const calls: Readonly<Record<string, Call>> = {
  "shared/engine/tool/mcp/connect-mcp.ts → @modelcontextprotocol/client": mcpCall,
  "shared/engine/tool/mcp/connect-mcp.ts → @modelcontextprotocol/client/stdio": async () => {
    const source = defineMcpTools({ command: "no-such-program-on-any-machine" });
    const listed = source.list(new AbortController().signal, asking);
    return listed.then(
      () => "listed",
      (error: Error) => String(Reflect.get(error, "code") ?? error.message),
    );
  },
  "shared/engine/model/create-models.ts → @ai-sdk/amazon-bedrock": modelCall("amazon-bedrock"),
  "shared/engine/model/create-models.ts → @ai-sdk/anthropic": modelCall("anthropic"),
  "shared/engine/model/create-models.ts → @ai-sdk/openai": modelCall("openai"),
  "shared/engine/model/create-models.ts → @ai-sdk/openai-compatible": modelCall("openai-compatible"),
  "shared/engine/tool/compile-schema.ts → ajv-formats": checkOfSchema,
  "shared/engine/tool/compile-schema.ts → ajv/dist/2020.js": checkOfSchema,
  "shared/engine/model/count-tokens.ts → gpt-tokenizer/encoding/o200k_base": () =>
    countTokens("Hello, world!", { provider: "OpenAI", id: "gpt-5" }),
  "shared/evals/read-dataset.ts → csv-parse/sync": () => rowsOfCsv("a;b", ";"),
  "shared/http/input/multipart.ts → busboy": () =>
    multipartParts(Buffer.from(FORM), "multipart/form-data; boundary=b", () => false),
  "shared/knowledge/embedders/connect-embedder.ts → @ai-sdk/amazon-bedrock": embedderCall("amazon-bedrock"),
  "shared/knowledge/embedders/connect-embedder.ts → @ai-sdk/openai": embedderCall("openai"),
  "shared/knowledge/embedders/connect-embedder.ts → @ai-sdk/openai-compatible":
    embedderCall("openai-compatible"),
  ...Object.fromEntries(
    "danish dutch english finnish french german italian norwegian portuguese romanian russian spanish swedish turkish"
      .split(" ")
      .map((name) => [`shared/knowledge/lexical/languages.ts → @orama/stemmers/${name}`, stemsOf]),
  ),
  "shared/knowledge/readers/html-text.ts → htmlparser2": async () => (await htmlText("<p>one</p>")).text,
  "shared/knowledge/readers/parse-xml.ts → htmlparser2": async () => {
    const names: string[] = [];
    await parseXml(Buffer.from("<a><b/></a>"), { open: (name) => names.push(name) });
    return names;
  },
  "shared/knowledge/readers/read-docx.ts → mammoth": ({ docx }) =>
    readDocx(docx, { budget: { left: 1_000_000 } }),
  "shared/knowledge/readers/read-eml.ts → postal-mime": () =>
    readEml(Buffer.from("Subject: Tides\r\n\r\nHigh at six.\r\n"), { inner: async () => [] }),
  "shared/knowledge/readers/read-pdf.ts → unpdf": ({ pdf }) => readPdf(pdf),
  "shared/knowledge/readers/stream-csv.ts → csv-parse": tableCall,
  // Shift_JIS: hiragana, katakana and punctuation.
  "shared/knowledge/readers/text-encoding.ts → chardet": () => decodedText(Buffer.from(SHIFT_JIS, "hex")),
  "shared/knowledge/sites/page-links.ts → htmlparser2": () =>
    pageLinks(Buffer.from('<a href="/b">b</a>'), "https://a.example/"),
  "shared/knowledge/sites/robots.ts → robots-parser": async ({ refusing }) =>
    (await robotsOf(refusing, [new URL(refusing).host]))(`${refusing}/page`),
  "shared/knowledge/sources/read-blob-list.ts → htmlparser2": () =>
    readBlobList("<EnumerationResults><Blobs/><NextMarker>n</NextMarker></EnumerationResults>"),
  "shared/knowledge/sources/s3-source.ts → @aws-sdk/client-s3": () =>
    refusedWith(s3Source({ bucket: "files" }).read("a.txt")),
  "shared/outbound/event-bus.ts → @aws-sdk/client-eventbridge": () =>
    connectEventBus("bus").put({ source: "s", detail_type: "d", detail: "{}", time: 1 }),
  "shared/outbound/task-tokens.ts → @aws-sdk/client-sfn": () =>
    connectTaskTokens().end("token", { succeeds: true, output: "{}" }),
  "shared/queue/connect-sqs.ts → @aws-sdk/client-sqs": sqsCall,
  "shared/runtime/functions/function-versions.ts → @aws-sdk/client-lambda": () =>
    refusedWith(connectFunctionVersions("f").list()),
  "shared/runtime/functions/invoke-function.ts → @aws-sdk/client-lambda": () =>
    refusedWith(invokeFunction(1)("f", "{}")),
  "shared/runtime/secrets/read-secret.ts → @aws-sdk/client-secrets-manager": () =>
    refusedWith(readSecret("s")),
  "shared/runtime/search-logs.ts → @aws-sdk/client-cloudwatch-logs": () =>
    refusedWith(
      searchLogs()({
        logGroup: "g",
        pattern: "p",
        from_ms: 0,
        until_ms: 1,
        signal: new AbortController().signal,
      }),
    ),
  "shared/runtime/functions/start-function.ts → @aws-sdk/client-lambda": () =>
    refusedWith(startFunction()("f", "{}")),
  "shared/scheduler/connect-scheduler.ts → @aws-sdk/client-scheduler": () =>
    refusedWith(connectSchedulerRemoval({ SCHEDULE_GROUP: "g" }).remove(["one"])),
  "shared/stores/objects/connect-objects.ts → @aws-sdk/client-s3": () =>
    refusedWith(connectObjects("files").get("a")),
  "shared/stores/objects/connect-objects.ts → @aws-sdk/s3-request-presigner": () =>
    connectObjects("files").sign("a", "text/plain"),
  "shared/stores/objects/empty-bucket.ts → @aws-sdk/client-s3": () => refusedWith(emptyBucket("files")),
  "shared/stores/objects/upload-urls.ts → @aws-sdk/client-s3": () =>
    refusedWith(connectUploads("files").sizeOf("a")),
  "shared/stores/objects/upload-urls.ts → @aws-sdk/s3-request-presigner": async () =>
    (await connectUploads("files").open("a", 1, "text/plain", 60)).url,
  "shared/stores/knowledge/remove-indexes.ts → @aws-sdk/client-s3vectors": () =>
    refusedWith(removeIndexes("vectors")),
  "shared/stores/knowledge/s3-vectors.ts → @aws-sdk/client-s3vectors": () =>
    refusedWith(s3Vectors("vectors").get("index", ["key"])),
};

const SHIFT_JIS =
  "82b182f182c982bf82cd81428da193fa82cd82c682c482e082a282a293568b4382c582" +
  "b781428e5595e082f082b582dc82b582e582a48142";

async function checkOfSchema(): Promise<unknown> {
  const compiled = await compileSchema({ type: "string", format: "date" });
  return compiled.usable && [compiled.check("2026-11-24"), compiled.check("soon")];
}
