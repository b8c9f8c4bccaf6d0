/**
 * Asks a platform of its own with the official MCP inspector, in both eras of the protocol, and with the official conformance kit, as
 * versions 2025-11-25 and 2026-07-28 require it of a server, of a server that users sign in at, and of a client, which the tools of a run
 * are: `npm run conformance:mcp`. Both are fetched when this runs (`npx`), so that they are no dependencies. Ends with 1 when an answer is not what it should be.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { startPlatform } from "../../test/support/platform.ts";
import { askAuthorizationServer } from "./mcp/authorization-server.ts";
import { cannotAsClient, clientScenarios, unknownScenarios } from "./mcp/client-scenarios.ts";
import { reasonToFail } from "./mcp/unhosted.ts";

const INSPECTOR = process.env.MCP_INSPECTOR ?? "@modelcontextprotocol/inspector@2.12.0";
const KIT = process.env.MCP_CONFORMANCE ?? "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const scopes = ["agents:read", "agents:run", "sessions:read"];

type Check = {
  readonly name: string;
  readonly args: readonly string[];
  readonly holds: (text: string) => boolean;
};

const checks: readonly Check[] = [
  { name: "tools/list", args: ["--method", "tools/list"], holds: (text) => text.includes('"run_agent"') },
  {
    name: "tools/call run_agent",
    args: [
      ...["--method", "tools/call", "--tool-name", "run_agent"],
      ...["--tool-arg", "agent_id=assistant", "--tool-arg", "message=hello"],
    ],
    holds: (text) => text.includes('"COMPLETED"'),
  },
  {
    name: "resources/list",
    args: ["--method", "resources/list"],
    holds: (text) => text.includes("session://"),
  },
  {
    name: "resources/templates/list",
    args: ["--method", "resources/templates/list"],
    holds: (text) => text.includes("session://{session_id}"),
  },
];

let failures = 0;
const report = (passed: boolean, name: string, text: string): void => {
  if (!passed) failures += 1;
  console.log(`${passed ? "passed" : "FAILED"} ${name}${passed ? "" : `\n${text}`}`);
};

/** The environment with this process's Node. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` };

/** The command of a package. @returns what it printed */
const npx = (args: readonly string[]) =>
  promisify(execFile)("npx", ["--yes", ...args], { env, maxBuffer: 64_000_000 });

const platform = await startPlatform();
const token = platform.token("inspector", scopes);
try {
  const header = `Authorization: Bearer ${token}`;
  for (const era of ["legacy", "modern"]) {
    const target = ["--cli", `${platform.url}/mcp`, "--transport", "http", "--header", header];
    for (const { name, args, holds } of checks) {
      const asked = npx([INSPECTOR, ...target, "--protocol-era", era, ...args]);
      const text = await asked.then(
        ({ stdout }) => stdout,
        (error) => String(error.stderr ?? error),
      );
      report(holds(text), `inspector, ${era}: ${name}`, text);
    }
  }
  for (const revision of ["2025-11-25", "2026-07-28"]) await runKit(revision);
  await runSignIn();
  for (const [revision, scenarios] of Object.entries(clientScenarios)) {
    const { stdout: listed } = await npx([KIT, "list", "--client", "--requirements", revision]);
    const unknown = unknownScenarios(revision, listed);
    report(unknown.length === 0, `client, ${revision}: all scenarios are known`, unknown.join("\n"));
    for (const scenario of scenarios) await runAsClient(revision, scenario);
  }
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  await platform.stop();
}

/** The kit sends no credential: a server between the two adds it. */
async function runKit(revision: string): Promise<void> {
  const server = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    const sent = request(`${platform.url}${incoming.url}`, { method: incoming.method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    sent.on("error", (error) => answer.destroy(error));
    incoming.pipe(sent);
  });
  const proxy = await serveOnLoopback(server);
  const folder = mkdtempSync(join(tmpdir(), "mcp-conformance-"));
  try {
    const args = ["server", "--url", `${proxy.address}/mcp`, "--requirements", revision, "-o", folder];
    // It ends with 1 where any check fails; what failed is in its files.
    await npx([KIT, ...args]).catch(() => undefined);
    const found = checksIn(folder);
    const failed = found.filter(({ status }) => status === "FAILURE" || status === "WARNING");
    const excused = Map.groupBy(failed, ({ errorMessage = "" }) => reasonToFail(errorMessage));
    const wrong = excused.get(undefined) ?? [];
    const passed = found.filter(({ status }) => status === "SUCCESS").length;
    report(wrong.length === 0, `conformance ${revision}: ${passed} checks pass`, shown(wrong));
    excused.delete(undefined);
    for (const [why, those] of excused) console.log(`  ${those.length} cannot: ${why}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await proxy.stop();
  }
}

/** The kit as a client that signs in, by the built-in sign-in of the platform. */
async function runSignIn(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-conformance-"));
  try {
    const kit = { program: "npx", args: ["--yes", KIT], env };
    const text = await askAuthorizationServer(platform, kit, folder, scopes);
    const found = checksIn(folder);
    const wrong = found.filter(({ status }) => status !== "SUCCESS" && status !== "INFO");
    const passed = found.length - wrong.length;
    report(wrong.length === 0, `authorization: ${passed} checks pass`, `${text}\n${shown(wrong)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Error where the kit has written nothing */
function checksIn(folder: string): readonly KitCheck[] {
  const made = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith("checks.json"),
  );
  if (made.length === 0) throw new Error(`${KIT} has checked nothing`);
  return made.flatMap((path): KitCheck[] => JSON.parse(readFileSync(join(folder, path), "utf8")));
}

function shown(checks: readonly KitCheck[]): string {
  return checks.map(({ id, errorMessage }) => `  ${id}: ${errorMessage}`).join("\n");
}

/** The kit's server, and the tools of a run as its client. It ends with 1 where any check fails. */
async function runAsClient(revision: string, scenario: string): Promise<void> {
  const why = cannotAsClient(scenario);
  if (why !== undefined) return console.log(`  ${scenario} cannot: ${why}`);
  const command = `node ${join(import.meta.dirname, "mcp", "client-under-test.ts")}`;
  const folder = mkdtempSync(join(tmpdir(), "mcp-conformance-"));
  const args = [
    "client",
    "--command",
    command,
    "--scenario",
    scenario,
    "--spec-version",
    revision,
    "-o",
    folder,
  ];
  const passes = (text: string) => /Passed: (\d+)\/\1, 0 failed/.test(text) && !/Passed: 0\//.test(text);
  try {
    // It reports a client on the stream of errors.
    const { stdout, stderr } = await npx([KIT, ...args]).catch((error) => error);
    const text = `${stdout}${stderr}`;
    report(passes(text), `client, ${revision}: ${scenario}`, text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type KitCheck = {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "INFO" | "SKIPPED";
  readonly errorMessage?: string;
};
