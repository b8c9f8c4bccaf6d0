/**
 * Tries the package as a user would, from its tarball alone: a new project in an empty folder, with an empty environment.
 * `npm run try:package`; `-- <tarball>` takes one that is made already. Takes two minutes, most of them npm's.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { table } from "../../build/table.ts";

const root = join(import.meta.dirname, "../..");
const place = mkdtempSync(join(tmpdir(), "agent-platform-package-"));
const project = join(place, "my-agents");
const port = await freePort();
/** Of the caller's, only where programs and packages are found. */
const environment: Record<string, string> = {
  PATH: process.env.PATH_OF_USERS ?? "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: join(place, "home"),
  NO_COLOR: "1",
  npm_config_fund: "false",
  npm_config_audit: "false",
  npm_config_update_notifier: "false",
  ...(process.env.npm_config_registry && { npm_config_registry: process.env.npm_config_registry }),
};
const took: [string, string][] = [];

async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.error(`${name}: ${seconds} s`);
  took.push([name, seconds]);
}

type Ran = { readonly code: number; readonly output: string };

/** Runs a command to its end. @throws when it fails */
async function run(
  command: string,
  args: readonly string[],
  cwd = project,
  env: NodeJS.ProcessEnv = environment,
): Promise<string> {
  const { code, output } = await attempt(command, args, cwd, env);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${output}`);
  return output;
}

async function attempt(
  command: string,
  args: readonly string[],
  cwd = project,
  env: NodeJS.ProcessEnv = environment,
): Promise<Ran> {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd, env, maxBuffer: 100_000_000 });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout = "", stderr = "" } = error as { code?: number; stdout?: string; stderr?: string };
    return { code: Number(code ?? 1), output: stdout + stderr };
  }
}

function expect(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(`expected: ${what}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address ? address.port : 0;
}

/** Does something while the project runs here. */
async function whileItRuns(
  command: "dev" | "start",
  work: (url: string, admin: string) => Promise<void>,
): Promise<void> {
  const bin = join(project, "node_modules/.bin/agent-platform");
  const child = spawn(bin, [command], { cwd: project, env: { ...environment, PORT: String(port) } });
  let output = "";
  const gather = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on("data", gather);
  child.stderr.on("data", gather);
  try {
    const isReady = await until(60, async () => / ready\n/.test(output) || child.exitCode !== null);
    if (!isReady || child.exitCode !== null) throw new Error(`it does not start:\n${output}`);
    await work(`http://127.0.0.1:${port}`, (await run(bin, ["token"])).trim());
  } catch (error) {
    throw new Error(`${command} wrote:\n${output}`, { cause: error });
  } finally {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  }
}

async function until(seconds: number, isSo: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await pause(200)) {
    if (await isSo()) return true;
  }
  return false;
}

async function ask(
  url: string,
  token: string,
  message: string,
): Promise<{ session_id: string; content?: string; tools?: readonly { result: string }[] }> {
  const body = new URLSearchParams({ message, stream: "false" });
  const response = await fetch(`${url}/agents/assistant/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  const text = await response.text();
  expect(response.status === 200, `a run: ${response.status} ${text}`);
  return JSON.parse(text);
}

const agents = async (url: string, token: string): Promise<string> =>
  (await fetch(`${url}/agents`, { headers: { authorization: `Bearer ${token}` } })).text();

async function develop(): Promise<void> {
  await whileItRuns("dev", async (url, token) => {
    const { tools = [] } = await ask(url, token, '[[tool:roll_dice {"count": 3}]]');
    expect(/^\[[1-6],[1-6],[1-6]\]$/.test(tools[0]?.result ?? ""), "three dice");
    const page = await fetch(`${url}/console`);
    expect(page.status === 200, "the console");
    const script = join(project, "ask.mjs");
    writeFileSync(
      script,
      `import { createClient } from "@agentplatform/core/client";
       const client = createClient({ baseUrl: ${JSON.stringify(url)}, token: process.env.TOKEN });
       const run = await client.createAgentRun({ path: { agent_id: "assistant" }, body: { message: "hello" } });
       console.log(run.content);`,
    );
    const said = await run("node", [script], project, { ...environment, TOKEN: token });
    expect(said.includes("hello"), "an answer through the client");
    const file = join(project, "agents/assistant.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace('name: "Assistant"', 'name: "Edited"'));
    let shown = "";
    const isReloaded = await until(30, async () => {
      shown = await agents(url, token);
      return shown.includes("Edited");
    });
    expect(isReloaded, `an edited agent is reloaded: ${shown}`);
  });
}

const charge = `import { defineTool } from "@agentplatform/core";
import * as v from "valibot";

export const charge = defineTool({
  name: "charge",
  description: "Charge a card.",
  parameters: v.object({ amount: v.number() }),
  effect: "safe",
  secrets: ["CARD_KEY"],
  permissions: [{ actions: ["dynamodb:GetItem"], resources: ["arn:aws:dynamodb:eu-central-1:123456789012:table/cards"] }],
  execute: ({ amount }, { secrets }) => \`charged \${amount} with a key of \${secrets.CARD_KEY.length} characters\`,
});
`;

async function secretTool(): Promise<void> {
  writeFileSync(join(project, "tools/charge.ts"), charge);
  const file = join(project, "agents/assistant.ts");
  const text = readFileSync(file, "utf8").replace("tools: [rollDice]", "tools: [rollDice, charge]");
  writeFileSync(file, `import { charge } from "../tools/charge.ts";\n${text}`);
  await run("npm", ["run", "check"]);
  const refused = await attempt("npx", ["agent-platform", "start"]);
  expect(
    refused.code !== 0 && /charge.*CARD_KEY/s.test(refused.output),
    `a start without the secret is refused: ${refused.output}`,
  );
  appendFileSync(join(project, ".env"), "CARD_KEY=12345678\n");
  await whileItRuns("start", async (url, token) => {
    const { tools = [] } = await ask(url, token, '[[tool:charge {"amount": 5}]]');
    expect(
      tools[0]?.result === "charged 5 with a key of 8 characters",
      `the tool has its key: ${JSON.stringify(tools)}`,
    );
  });
  const early = await attempt("npx", ["agent-platform", "deploy", "--synth"]);
  const [, command = ""] = /Install it into the project: npm (.+)/.exec(early.output) ?? [];
  expect(early.code === 2 && command.includes("aws-cdk-lib@"), `the CDK is asked for: ${early.output}`);
  await step("the CDK, for the first deployment", () => run("npm", command.trim().split(" ")));
  const unmapped = await attempt("npx", ["agent-platform", "deploy", "--synth"]);
  expect(
    unmapped.code !== 0 && /charge.*CARD_KEY/s.test(unmapped.output),
    `templates without the mapping are refused: ${unmapped.output}`,
  );
  const config = join(project, "agent-platform.config.ts");
  writeFileSync(
    config,
    readFileSync(config, "utf8").replace(
      "settings: {}",
      'settings: { toolSecrets: { CARD_KEY: "shop/card" } }',
    ),
  );
  await run("npx", ["agent-platform", "deploy", "--synth"]);
  const out = join(project, "cdk.out");
  const template = readdirSync(out).find((name) => /Service.*\.template\.json$/.test(name)) ?? "";
  const { Resources } = JSON.parse(readFileSync(join(out, template), "utf8"));
  const allowed = Object.entries<{ Type: string }>(Resources)
    .filter(
      ([, resource]) =>
        resource.Type === "AWS::IAM::Policy" && JSON.stringify(resource).includes("table/cards"),
    )
    .map(([id]) => id.replace(/RoleDefaultPolicy.*/, ""))
    .toSorted();
  expect(
    allowed.length > 0 && allowed.length < 10 && allowed.includes("Worker"),
    `the right is on some roles: ${allowed}`,
  );
  console.log(`the right of the tool is on: ${allowed.join(", ")}`);
}

async function upgrade(tarball: string): Promise<void> {
  let session = "";
  await whileItRuns("start", async (url, token) => {
    session = (await ask(url, token, "remember me")).session_id;
  });
  const next = join(place, "next");
  await run("mkdir", ["-p", next], place);
  await run("tar", ["xzf", tarball, "-C", next], place);
  const manifest = join(next, "package/package.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/"version": "[^"]+"/, '"version": "0.1.1"'));
  await run("npm", ["pack", "--pack-destination", next], join(next, "package"));
  await run("npm", ["install", `file:${join(next, "agentplatform-core-0.1.1.tgz")}`]);
  expect((await run("npx", ["agent-platform", "--version"])).trim() === "0.1.1", "the new version is there");
  await whileItRuns("start", async (url, token) => {
    const kept = await fetch(`${url}/sessions/${session}`, { headers: { authorization: `Bearer ${token}` } });
    expect(kept.status === 200, `the session is there after the upgrade: ${kept.status}`);
    await ask(url, token, "hello again");
  });
}

async function packed(): Promise<string> {
  await step("pack", () => run("node", ["scripts/package/pack.ts", "--tarball", place], root, process.env));
  const wanted = (name: string) => /^agentplatform-core-.*\.tgz$/.test(name);
  return join(place, readdirSync(place).find(wanted) ?? "");
}

try {
  const tarball = process.argv[2] === undefined ? await packed() : resolve(process.argv[2]);
  const npx = ["--yes", "--package", tarball, "agent-platform"];
  await step("new", () => run("npx", [...npx, "new", "my-agents"], place));
  await step("npm install", () => run("npm", ["install"]));
  await step("npm run check", () => run("npm", ["run", "check"]));
  await step("npm test", () => run("npm", ["test"]));
  await step("dev: run, edit, run again", develop);
  await step("a tool with a secret and a right", secretTool);
  await step("upgrade with data kept", () => upgrade(tarball));
  console.log(table(["step", "seconds"], took));
} finally {
  rmSync(place, { recursive: true, force: true });
}
