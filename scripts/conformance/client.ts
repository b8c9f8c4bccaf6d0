/**
 * Walks the public methods of the Python clients of AgentOS against a platform of its own: `npm run conformance:client`,
 * or with versions: `npm run conformance:client -- 3.1.10 2.9.0`. Needs Python 3.10 or newer, and PyPI the first time.
 * Exits with an error when a method fails, or is not known to the script.
 *
 * Walked are AgentOSClient, RemoteAgent, RemoteTeam, RemoteWorkflow, A2AClient, and the commands `agno status` and `agno
 * tokens`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { clientOf } from "../../test/support/client.ts";
import { createComponent } from "../../test/support/create-component.ts";
import { startPlatform } from "../../test/support/platform.ts";
import { clientReport, walkedIn } from "./client-report.ts";
import { pythonWith } from "./python-environment.ts";

const VERSIONS = ["3.1.10", "2.9.0"];
const WALK = join(import.meta.dirname, "client/main.py");

/** Its runs leave out what is too long for a prompt, and say so by the events and the record of a compaction. */
const folding = {
  component_id: "folding",
  stage: "published",
  config: {
    model: "scripted:scripted-1",
    add_history_to_context: true,
    compaction: { compact_at_tokens: 1_000 },
  },
};

/** One key of the instance's own, beside those that all have. */
const FEEDBACK_KEYS = JSON.stringify({ tone: { type: "category", categories: ["kind", "rude"] } });

const asked = process.argv.slice(2);
let passed = true;
for (const version of asked.length > 0 ? asked : VERSIONS) passed = (await walk(version)) && passed;
process.exitCode = passed ? 0 : 1;

/** A platform for each version, so that the counts of one are not those of both. */
async function walk(version: string): Promise<boolean> {
  const python = await pythonWith(version);
  // Traced, as `npm start` is.
  const platform = await startPlatform({ env: { TRACING: "", FEEDBACK_LINKS: "on", FEEDBACK_KEYS } });
  try {
    await createComponent(clientOf(platform.url, platform.adminToken), folding);
    const report = clientReport(walkedIn(await outputOf(python, platform)), version);
    console.log(`\n${report.text}\n`);
    return report.passed;
  } finally {
    await platform.stop();
  }
}

/** @throws Error when the walk itself broke off */
async function outputOf(
  python: string,
  { url, adminToken }: { url: string; adminToken: string },
): Promise<string> {
  const child = spawn(python, [WALK, url], {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      PLATFORM_TOKEN: adminToken,
      PYTHONDONTWRITEBYTECODE: "1",
      AGNO_TELEMETRY: "false",
    },
  });
  const ended = once(child, "close");
  const [output, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  if (code !== 0) throw new Error(`the walk ended with ${code}:\n${complaints}`);
  return output;
}
