/**
 * Runs the command line of the official MCP inspector against a platform of its own: `npm run conformance:mcp`. The inspector is
 * fetched when this runs (`npx`), so that it is no dependency. Exits with an error when an answer is not what it should be.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { startPlatform } from "../../test/support/platform.ts";

const INSPECTOR = process.env.MCP_INSPECTOR ?? "@modelcontextprotocol/inspector@2.12.0";
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

const platform = await startPlatform();
try {
  const header = `Authorization: Bearer ${platform.token("inspector", scopes)}`;
  const inspect = async (args: readonly string[]): Promise<string> => {
    const target = ["--cli", `${platform.url}/mcp`, "--transport", "http", "--header", header];
    const { stdout } = await promisify(execFile)("npx", ["--yes", INSPECTOR, ...target, ...args]);
    return stdout;
  };
  let failures = 0;
  for (const { name, args, holds } of checks) {
    const text = await inspect(args).catch((error) => String(error.stderr ?? error));
    const passed = holds(text);
    if (!passed) failures += 1;
    console.log(`${passed ? "passed" : "FAILED"} ${name}${passed ? "" : `\n${text}`}`);
  }
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  await platform.stop();
}
