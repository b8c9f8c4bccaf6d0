/**
 * Generates clients of the interface with openapi-generator, compiles them, and makes a run with Python's against a platform of
 * its own: `npm run conformance:clients`, or some: `npm run conformance:clients -- Go Java`. The generator comes from Maven; it needs
 * Java and Maven, and each language its tools. Exits with an error when one of these is missing, or a client has errors.
 *
 * With `--document <file>` it compiles the clients of another document, and makes no run.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { openApi } from "../../shared/openapi/open-api.ts";
import { type Language, languages } from "./clients/languages.ts";

const VERSION = "7.23.0";
const COMPILER = join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");

const { values, positionals } = parseArgs({
  options: { document: { type: "string" } },
  allowPositionals: true,
});
const folder = mkdtempSync(join(tmpdir(), "generated-clients-"));
const asked = languages(folder, COMPILER).filter(
  ({ name }) => positionals.length === 0 || positionals.includes(name),
);

try {
  const missing = await missingTools([
    ["java", "-version"],
    ["mvn", "--version"],
    ...asked.flatMap(({ tools }) => tools),
  ]);
  if (missing.length > 0) throw new Error(`not installed: ${missing.join(", ")}`);
  const document = values.document ?? join(folder, "openapi.json");
  if (values.document === undefined) writeFileSync(document, JSON.stringify(openApi("1.0.0")));
  await run(folder, [
    "mvn",
    "-q",
    "-B",
    "dependency:copy",
    `-Dartifact=${generatorArtifact()}`,
    "-DoutputDirectory=.",
  ]);
  if (asked.some(({ name }) => name === "Python"))
    await run(folder, ["python3", "-m", "venv", "environment"]);
  let faulty = 0;
  for (const language of asked) {
    const { errors, first } = await errorsOf(language, document);
    console.log(`${language.name}: ${errors} errors${first && `\n${first}`}`);
    if (errors > 0) faulty += 1;
    else if (language.name === "Python" && values.document === undefined) await makeRun();
  }
  process.exitCode = faulty === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function generatorArtifact(): string {
  return `org.openapitools:openapi-generator-cli:${VERSION}`;
}

/** How many errors generator and compiler find, and the first lines of what they say. */
async function errorsOf(language: Language, document: string): Promise<{ errors: number; first: string }> {
  const own = join(folder, language.generator);
  mkdirSync(own);
  const generator = ["java", "-Xmx1g", "-jar", `openapi-generator-cli-${VERSION}.jar`, "generate"];
  const options = ["-i", document, "-g", language.generator, "-o", own, ...language.options];
  const steps = [
    () => run(folder, [...generator, ...options]),
    ...language.compile.map((command) => () => run(own, command)),
  ];
  for (const step of steps) {
    const output = await step().then(
      () => undefined,
      (error: { readonly stdout: string; readonly stderr: string }) => error.stdout + error.stderr,
    );
    if (output === undefined) continue;
    const found = [...output.matchAll(language.error)].length;
    return { errors: Math.max(found, 1), first: firstFaults(output) };
  }
  return { errors: 0, first: "" };
}

function firstFaults(output: string): string {
  const lines = output.split("\n").filter((line) => /error|exception|\.go:/i.test(line));
  return lines
    .slice(0, 5)
    .map((line) => line.slice(0, 300))
    .join("\n");
}

async function makeRun(): Promise<void> {
  // Imported here because it builds the functions, which takes a minute.
  const { startPlatform } = await import("../../test/support/platform.ts");
  const platform = await startPlatform();
  try {
    const script = join(import.meta.dirname, "clients/run.py");
    console.log(
      await run(folder, [join(folder, "environment/bin/python"), script, platform.url, platform.adminToken]),
    );
  } finally {
    await platform.stop();
  }
}

async function missingTools(tools: readonly (readonly string[])[]): Promise<string[]> {
  const missing = new Set<string>();
  for (const [tool = "", ...args] of tools) {
    await run(folder, [tool, ...args]).catch(() => missing.add(tool));
  }
  return [...missing];
}

async function run(cwd: string, [command = "", ...args]: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 });
  return stdout.trim();
}
