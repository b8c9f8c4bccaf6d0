/**
 * Reads exported spans of a platform of its own as Langfuse's ingestion does, by the code of its repository:
 * `npm run conformance:telemetry`, or of another one: `npm run conformance:telemetry -- <git repository> [branch or tag]`. Needs git.
 * Exits with an error where it finds no session, user, model, tokens, messages or tools.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { build, type Plugin } from "esbuild";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { clientOf } from "../../test/support/client.ts";
import { startPlatform } from "../../test/support/platform.ts";
import { fetchFiles } from "./fetch-files.ts";

const REPOSITORY = "https://github.com/langfuse/langfuse.git";
const FOLDER = "packages/shared/src/server/otel";

type Observation = Readonly<Record<string, unknown>>;
type Processor = { processToEvent: (resourceSpans: readonly unknown[]) => Observation[] };
type Module = { readonly OtelIngestionProcessor: new (project: object) => Processor };

/** What the ingestion imports from the rest of its server, which plays no part in how attributes are read. */
const SERVER = `
const silent = () => undefined;
const itsName = new Proxy({}, { get: (_, name) => name });
module.exports = {
  ObservationType: itsName,
  ObservationLevel: itsName,
  ObservationTypeDomain: { safeParse: () => ({ success: true }) },
  LangfuseInternalTraceEnvironment: itsName,
  ForbiddenError: Error,
  logger: { debug: silent, info: silent, warn: silent, error: (...said) => console.error(...said) },
  env: {},
  UsageDetails: { safeParse: (data) => ({ success: true, data }) },
  instrumentSync: (_, work) => work({ setAttribute: silent }),
  recordIncrement: silent,
  recordDistribution: silent,
  traceException: silent,
  normalizeEnvironment: (environment) => environment,
  normalizeToolsForObservation: (input, output, metadata) =>
    ({ input, output, metadata, toolDefinitions: {}, toolCalls: [], toolCallNames: [] }),
  normalizeToolMetadataForObservation: () => ({}),
  convertDateToClickhouseDateTime: (date) => date.toISOString(),
};
`;

/** Every import from outside of the folder is of that. */
const withoutServer: Plugin = {
  name: "without-server",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.\// }, () => ({ path: "server", namespace: "server" }));
    onLoad({ filter: /./, namespace: "server" }, () => ({ contents: SERVER, loader: "js" }));
  },
};

const [repository = REPOSITORY, ref] = process.argv.slice(2);
const fetched = await fetchFiles({ repository, ref, folders: [FOLDER] });
try {
  const events = await readAs(fetched.root, await exportedSpans());
  const calls = events.filter(({ type }) => type === "GENERATION");
  const problems = [
    ...(events.every(({ sessionId }) => sessionId === "telemetry") ? [] : ["a span has no session"]),
    ...(events.some(({ userId }) => typeof userId === "string") ? [] : ["no span has the user"]),
    ...(calls.length === 2 ? [] : [`there are ${calls.length} model calls, not 2`]),
    ...calls.flatMap(problemsOfCall),
    ...(events.some(({ type }) => type === "TOOL") ? [] : ["no span is a tool"]),
  ];
  for (const { type, name, modelName, providedUsageDetails: tokens } of events)
    console.log([type, name, modelName, JSON.stringify(tokens ?? {})].join("  "));
  for (const problem of problems) console.error(problem);
  console.log(`Langfuse ${fetched.commit}: ${events.length} spans, ${problems.length} problems`);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  rmSync(fetched.root, { recursive: true, force: true });
}

function problemsOfCall({ modelName, providedUsageDetails, input, output, name }: Observation): string[] {
  const of = `of ${String(name)}`;
  const { input: read, output: written } = Object(providedUsageDetails);
  return [
    ...(modelName === "scripted-1" ? [] : [`the model ${of} is ${String(modelName)}`]),
    ...(read > 0 && written > 0 ? [] : [`there are no tokens ${of}`]),
    ...(input && output ? [] : [`there is no input or output ${of}`]),
  ];
}

/** What the platform exports of a run with a tool. */
async function exportedSpans(): Promise<readonly unknown[]> {
  const sent: unknown[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = Object(await json(request));
    sent.push(...resourceSpans);
    response.writeHead(200).end("{}");
  });
  const { address, stop } = await serveOnLoopback(server);
  const platform = await startPlatform({
    env: {
      ...{ TRACING: "on", OTLP_ENDPOINTS: `${address}/v1/traces`, OTLP_CONTENT: "true" },
      FETCH_ALLOWED_HOSTS: new URL(address).host,
    },
  });
  try {
    const maria = clientOf(platform.url, platform.token("maria", ["agents:run"]));
    await maria.run('what is it [[tool:add_numbers {"a":2,"b":3}]]', { session_id: "telemetry" });
    while (sent.length === 0) await setTimeout(50);
    return sent;
  } finally {
    await Promise.all([platform.stop(), stop()]);
  }
}

async function readAs(root: string, sent: readonly unknown[]): Promise<Observation[]> {
  const out = join(root, "bundle");
  mkdirSync(out);
  const file = join(out, "ingestion.cjs");
  const entry = join(root, FOLDER, "OtelIngestionProcessor.ts");
  const { outputFiles } = await build({
    ...{ entryPoints: [entry], bundle: true, write: false, platform: "node", format: "cjs" },
    plugins: [withoutServer],
  });
  writeFileSync(file, outputFiles[0]?.contents ?? "");
  const { OtelIngestionProcessor }: Module = (await import(file)).default;
  return new OtelIngestionProcessor({ projectId: "p", publicKey: "pk" }).processToEvent(sent);
}
