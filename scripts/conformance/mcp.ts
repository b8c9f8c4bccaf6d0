/**
 * Asks a platform of its own with the official MCP inspector, in both eras of the protocol: `npm run conformance:mcp`. It is fetched
 * when this runs (`npx`), so that it is no dependency. Ends with 1 when an answer is not what it should be.
 */
import { execFile } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { promisify } from "node:util";
import { startPlatform } from "../../test/support/platform.ts";

const INSPECTOR = process.env.MCP_INSPECTOR ?? "@modelcontextprotocol/inspector@2.12.0";

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
const token = platform.token("inspector", ["agents:read", "agents:run", "sessions:read"]);
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
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  await platform.stop();
}
