/**
 * Runs the system tests of AgentOS itself against a platform of its own: `npm run conformance:peer-tests`. They are fetched
 * into a temporary folder from the project's repository, or from another one:
 * `npm run conformance:peer-tests -- <git repository> [branch or tag]`. Needs git, Python 3.10 or newer, and PyPI the first
 * time. Exits with an error when a test fails whose difference is not explained, or when something is missing.
 *
 * What they need of other services is not there: Slack, Telegram, Google's kit, and the Postgres of their server.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import { json } from "node:stream/consumers";
import * as v from "valibot";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { startHostileModel } from "../../test/support/hostile-model/start-hostile-model.ts";
import type { Reply } from "../../test/support/hostile-model/turn.ts";
import { startPlatform } from "../../test/support/platform.ts";
import { fetchTests } from "./peer/fetch-tests.ts";
import { peerReport, readReport } from "./peer/peer-report.ts";
import { PLAN } from "./peer/registry.ts";
import { pythonWith } from "./python-environment.ts";

const VERSION = "3.1.10";
const PACKAGES = ["pytest==8.4.2", "pytest-asyncio==1.2.0", "h2==4.3.0", "mcp==1.26.0"];
const SECRET = "a-secret-that-only-names-the-suite";
const plugins = join(import.meta.dirname, "peer");

/** So long that it can be cancelled. */
const slowly: Reply = {
  text: Array.from({ length: 200 }, () => "And then. "),
  fails: { kind: "slow", ms: 100 },
};

const Claims = v.object({ sub: v.string(), scopes: v.array(v.string()) });

const [from, ref] = process.argv.slice(2);
try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run(): Promise<boolean> {
  const tests = await fetchTests(from, ref);
  const python = await pythonWith(VERSION, PACKAGES);
  const model = await startHostileModel();
  model.plan(PLAN, ({ body }) =>
    JSON.stringify(body).includes("long story") ? slowly : { text: ["It is ", "five."] },
  );
  const platform = await startPlatform({
    registry: join(plugins, "registry.ts"),
    without: ["components", "schedules"],
    env: {
      ...model.environment,
      TRACING: "",
      OS_ID: "gateway-os",
      AGUI_COMPONENT: "agents/gateway-agent",
      ADMIN_SCOPE: "platform:admin,agent_os:admin",
    },
  });
  const signer = await serveOnLoopback(
    createServer(async (request, response) => {
      const { sub, scopes } = v.parse(Claims, await json(request));
      response.end(platform.token(sub, scopes));
    }),
  );
  try {
    const report = join(tests.root, "report.jsonl");
    await pytest(python, tests.folder, {
      GATEWAY_URL: platform.url,
      REMOTE_SERVER_URL: platform.url,
      AGNO_A2A_SERVER_URL: platform.url,
      JWT_SECRET_KEY: SECRET,
      PEER_SIGNER: signer.address,
      PEER_REPORT: report,
    });
    const { text, passed } = peerReport(readReport(report));
    console.log(`\nSystem tests of AgentOS at ${tests.commit}, with agno ${VERSION}\n\n${text}\n`);
    return passed;
  } finally {
    await Promise.all([signer.stop(), platform.stop(), model.stop()]);
    rmSync(tests.root, { recursive: true, force: true });
  }
}

async function pytest(python: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  const without = ["slack", "telegram"].map((name) => `--ignore=tests/test_${name}_routes.py`);
  const words = ["-m", "pytest", "-q", "-p", "peer_plugin", ...without, "tests"];
  const child = spawn(python, words, {
    cwd,
    stdio: ["ignore", process.env.PEER_VERBOSE ? "inherit" : "ignore", "inherit"],
    env: {
      ...process.env,
      ...env,
      PYTHONPATH: [plugins, process.env.PYTHONPATH ?? ""].join(delimiter),
      PYTHONDONTWRITEBYTECODE: "1",
      AGNO_TELEMETRY: "false",
    },
  });
  await once(child, "close");
}
