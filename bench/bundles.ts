/**
 * Measures the start of each function: bytes of code, and the time a fresh process takes to load it, with the environment
 * from the template. `node bench/bundles.ts`.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "../build/bundles/index.ts";
import { table } from "../build/table.ts";
import { openIdentity } from "../local/identity.ts";
import { functionEnvironment } from "../local/lambda/function-environment.ts";
import { writeSettings } from "../local/lambda/settings-files.ts";
import { appContext } from "../local/template/app-context.ts";
import { cloudModel } from "../local/template/cloud-model.ts";
import type { FunctionModel } from "../local/template/functions.ts";
import { synthesize } from "../local/template/synthesize.ts";
import { figuresOf } from "./figures.ts";

const STARTS = 9;
type Goal = { readonly kb: number; readonly ms: number };
const goalOf = (name: string): Goal => (name === "authorizer" ? { kb: 100, ms: 60 } : { kb: 1000, ms: 100 });

const folder = mkdtempSync(join(tmpdir(), "agent-platform-bundles-"));
try {
  const { sizes } = await build();
  const stacks = await synthesize(appContext(openIdentity(folder), {}), join(folder, "cdk.out"));
  const nowhere = "http://127.0.0.1:9";
  const functions = cloudModel(stacks, nowhere).functions;
  const codeFolderOf = writeSettings(join(folder, "settings"), functions);
  // A family that streams is deployed twice from one bundle.
  const bundles = new Map(functions.map((fn) => [basename(dirname(fn.file)), fn]));
  const rows: string[][] = [];
  for (const [name, fn] of bundles) {
    const environment = functionEnvironment(fn, undefined, codeFolderOf(fn.name), "BENCH", nowhere, {
      models: {},
      chats: {},
      cards: {},
      spans: {},
      tools: {},
    });
    rows.push(rowOf(name, sizes[name], await coldImportMs(fn, environment)));
  }
  const head = ["function", "KB at start", "goal", "KB on demand", "cold import, ms", "goal"];
  console.log(table(head, rows));
  console.log(`median of ${STARTS} fresh processes of Node ${process.version}, without a compile cache`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function rowOf(
  name: string,
  size: { atStart: number; lazy: number } | undefined,
  importMs: number,
): string[] {
  const goal = goalOf(name);
  const kb = (bytes = Number.NaN) => (bytes / 1000).toFixed(0);
  return [name, kb(size?.atStart), `≤ ${goal.kb}`, kb(size?.lazy), importMs.toFixed(1), `≤ ${goal.ms}`];
}

async function coldImportMs({ file }: FunctionModel, environment: Record<string, string>): Promise<number> {
  const timesMs: number[] = [];
  for (let i = 0; i < STARTS; i += 1) timesMs.push(await oneImportMs(file, environment));
  return figuresOf(timesMs).p50;
}

function oneImportMs(file: string, environment: Record<string, string>): Promise<number> {
  // Lambda sets this global before it loads a function; a streaming function uses it while it loads.
  const source = `
    globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: {} };
    const from = performance.now();
    await import(${JSON.stringify(pathToFileURL(file).href)});
    process.stdout.write("\\n" + (performance.now() - from));
    process.exit(0);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.once("error", reject);
    child.once("close", (code) =>
      // A function may log while it loads.
      code === 0 ? resolve(Number(text.split("\n").at(-1))) : reject(new Error(`${file} does not load`)),
    );
  });
}
