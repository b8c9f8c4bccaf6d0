import { type ChildProcess, spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { affectedTests, changedFiles } from "./test/changed.ts";

const root = join(import.meta.dirname, "..");

/** The projects of `vitest.config.ts` that a command runs. */
const projects: Readonly<Record<string, readonly string[]>> = {
  quick: ["quick*"],
  rest: ["long*"],
  all: ["quick*", "long*"],
};

const USAGE = `node scripts/test.ts quick|rest|all|changed [--under-load] [arguments of vitest]
  quick    npm test: the quick tier
  rest     npm run test:rest: the long tier, test/long/
  all      npm run test:all: both
  changed  npm run test:changed [-- <revision>]: the files of both tiers that import what differs from the revision (main)`;

/** Runs the tests of a tier. @returns  the exit code */
async function test([command = "", ...given]: readonly string[]): Promise<number> {
  const underLoad = given.includes("--under-load");
  const rest = given.filter((argument) => argument !== "--under-load");
  if (command === "changed") return testChanged(rest);
  const chosen = projects[command];
  if (!chosen) {
    console.error(USAGE);
    return 2;
  }
  const load = underLoad ? startLoad() : [];
  try {
    return await vitest([...chosen.flatMap((name) => ["--project", name]), ...rest]);
  } finally {
    for (const child of load) child.kill();
  }
}

async function testChanged([revision = "main", ...rest]: readonly string[]): Promise<number> {
  const changed = changedFiles(root, revision);
  const tests = affectedTests(root, changed);
  console.log(`${changed.length} files differ from ${revision}; ${tests.length} test files import them`);
  return tests.length === 0 ? 0 : vitest([...tests, ...rest]);
}

/** A program on each processor that never waits: what depends on time fails beside it. */
function startLoad(): ChildProcess[] {
  return Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
}

function vitest(given: readonly string[]): Promise<number> {
  const program = join(root, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(process.execPath, [program, "run", ...given], { cwd: root, stdio: "inherit" });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

process.exitCode = await test(process.argv.slice(2));
