import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Built, build } from "../build/bundles/index.ts";
import { testProject } from "../test/support/test-registry.ts";
import { checkImports } from "./check-imports.ts";
import { checkCommitSubjects } from "./habits/commit-subjects.ts";
import { checkDuplication } from "./habits/duplication.ts";
import { checkWords } from "./words/check-words.ts";

const root = join(import.meta.dirname, "..");
const bin = join(root, "node_modules", ".bin");

/**
 * Most bytes of code that a function may load at start; a cold start waits for them. That of runs has the engine, and that of A2A
 * the package of its protocol too.
 */
const budgets: Readonly<Record<string, number>> = { authorizer: 100_000, runs: 1_066_000, a2a: 1_137_000 };
const DEFAULT_BUDGET = 1_000_000;
/** Most bytes, with gzip, that a browser may load before a page shows. */
const FIRST_LOAD_BUDGET = 190_000;

type Verdict = { readonly passed: boolean; readonly report: string };
type Gate = readonly [name: string, run: () => Promise<Verdict>];

/** All checks of a change, in addition to the tests. */
async function check(): Promise<boolean> {
  // Where the tests ran before, they have bundled all functions; two thirds have no registry in them.
  const built = build({ lender: testProject });
  const gates: Gate[] = [
    ["format and lint", () => command("biome", ["ci", "--colors=off", "--error-on-warnings", "."])],
    ["types", () => command("tsc", ["-p", "."])],
    ["types of the console", () => command("tsc", ["-p", "console"])],
    ["types of the hooks", () => command("tsc", ["-p", "react"])],
    ["types of the client in a browser", () => command("tsc", ["-p", "client"])],
    ["types of the client in a worker", () => command("tsc", ["-p", "client/tsconfig.worker.json"])],
    ["import direction", async () => verdict(checkImports(root))],
    // A process of its own, since its requests to the compiler are synchronous.
    ["length of functions", () => command("node", ["scripts/habits/function-lengths.ts"])],
    ["duplication", duplication],
    ["unwanted words", async () => verdict(checkWords())],
    ["subjects of commits", async () => verdict(checkCommitSubjects(root))],
    ["bundle budgets", async () => verdict(overBudget(await built))],
    ["synth, template rules, cdk-nag", () => built.then(synth)],
  ];
  const verdicts = await Promise.all(gates.map(judge));
  return verdicts.every(({ passed }) => passed);
}

async function judge([name, run]: Gate): Promise<Verdict> {
  const startedAt = performance.now();
  const outcome = await run().catch((error: unknown) => ({ passed: false, report: String(error) }));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${outcome.passed ? "pass" : "FAIL"}  ${name} (${seconds} s)`);
  if (!outcome.passed) console.log(outcome.report);
  return outcome;
}

async function duplication(): Promise<Verdict> {
  const faults = await checkDuplication(root);
  if (faults === undefined) console.log("skip  duplication: the detector has no program for this machine");
  return verdict(faults ?? []);
}

/** Turns on every optional resource, so that the rules check all of them. */
const context: Readonly<Record<string, string>> = {
  // A stage other than dev and local, for which the rules are stricter.
  stage: "check",
  jwtIssuers: '[{"issuer":"https://example.com","jwks_uri":"https://example.com/keys"}]',
  userPool: "true",
  a2a: "true",
  webhooks: "on",
  eventBus: "default",
  taskTokens: "true",
  agui: "true",
  openai: "true",
  chat: "true",
  mcp: "true",
  alarmEmail: "ops@example.com",
  customerKey: "true",
  domainName: "agents.example.com",
  certificateArn: "arn:aws:acm:us-east-1:123456789012:certificate/1b7a",
  webAclArn: "arn:aws:wafv2:us-east-1:123456789012:global/webacl/limits/4711",
  permissionsBoundary: "arn:aws:iam::123456789012:policy/limits",
  vpcId: "vpc-0123456789abcdef0",
  vpcSubnetIds: "subnet-0123456789abcdef0,subnet-0123456789abcdef1",
};

async function synth(): Promise<Verdict> {
  const output = await mkdtemp(join(tmpdir(), "agent-platform-synth-"));
  try {
    const options = Object.entries(context).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    return await command("cdk", ["synth", "--quiet", "--no-notices", "--output", output, ...options]);
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

function overBudget({ sizes }: Built): string[] {
  return Object.entries(sizes).flatMap(([name, { atStart, firstLoad = 0 }]) => {
    const budget = budgets[name] ?? DEFAULT_BUDGET;
    return [
      ...(atStart > budget ? [`${name} reads ${atStart} bytes to start; its budget is ${budget}`] : []),
      ...(firstLoad > FIRST_LOAD_BUDGET
        ? [
            `the page of ${name} loads ${firstLoad} bytes (gzip) before it shows; its budget is ${FIRST_LOAD_BUDGET}`,
          ]
        : []),
    ];
  });
}

const verdict = (problems: readonly string[]): Verdict => ({
  passed: problems.length === 0,
  report: problems.join("\n"),
});

/** Runs a program of the project's own packages. */
function command(name: string, args: readonly string[]): Promise<Verdict> {
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };
  return new Promise((resolve, reject) => {
    const child = spawn(join(bin, name), args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    const output: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
    child.once("error", reject);
    child.once("close", (code) => resolve({ passed: code === 0, report: Buffer.concat(output).toString() }));
  });
}

process.exitCode = (await check()) ? 0 : 1;
