import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { functionNames } from "../../../build/project/function-names.ts";
import { createClient } from "../../../client/index.ts";
import { checkImports } from "../../../scripts/check-imports.ts";
import { temporaryFolder } from "../../local/fixture-cloud.ts";

const project = join(import.meta.dirname, "../../..");

/** The least that a user may put in the place of the demo. */
const registry = `import { defineAgent, type Registry } from "../shared/engine/define/index.ts";

const hello = defineAgent({ id: "hello", name: "Hello", instructions: "Say hello." });

export const registry: Registry = { agents: [hello], teams: [], workflows: [] };
`;

describe("a copy of the project in which one agent replaces the demo", () => {
  let child: ChildProcess | undefined;
  const root = temporaryFolder();
  beforeAll(() => {
    // The demo goes with its tests.
    const unwanted = new Set(
      ["node_modules", "dist", "dist-package", ".git", ".local", "registry", "test/registry"].map((name) =>
        join(project, name),
      ),
    );
    cpSync(project, root, { recursive: true, filter: (path) => !unwanted.has(path) });
    symlinkSync(join(project, "node_modules"), join(root, "node_modules"));
    mkdirSync(join(root, "registry"));
    writeFileSync(join(root, "registry/index.ts"), registry);
  });
  afterAll(async () => {
    if (child) {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    }
    // The bundler ends a moment after the platform.
    rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  });

  // Code and tests import nothing of the demo, so they have the same types without it.
  test("has no import that is not allowed, in code and tests", () => {
    expect(checkImports(root)).toEqual([]);
  });

  test("starts, and its agent answers before all functions are bundled", async () => {
    const env = { ...process.env, DATA_DIR: join(root, ".local"), PORT: "0" };
    child = spawn(process.execPath, ["local/main.ts"], {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    for await (const chunk of child.stdout ?? []) {
      output += String(chunk);
      if (output.includes("Stop with")) break;
    }
    const url = /Address\s+(\S+)/.exec(output)?.[1] ?? "";
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    const token = /Bearer ([\w.-]+)/.exec(output)?.[1] ?? "";
    const client = createClient({ baseUrl: url, token });
    const run = await client.createAgentRun({ path: { agent_id: "hello" }, body: { message: "Hi" } });
    expect(run.status).toBe("COMPLETED");
    const bundled = readdirSync(join(root, "dist")).filter((name) => name.endsWith(".built.json"));
    expect(bundled).toContain("runs.built.json");
    expect(bundled.length).toBeLessThan(functionNames(root).length);
    expect((await client.listAgents()).map(({ id }) => id)).toEqual(["hello"]);
  }, 180_000);
});
