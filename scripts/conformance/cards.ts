/**
 * Reads the signed cards of a platform of its own with the SDKs of A2A for Python and Go as they come: `npm run conformance:cards`. Both
 * are installed into a temporary folder (PyPI, Go modules); without `go` only Python's is. Exits with an error when a card is not
 * read, or not verified.
 */
import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { clientOf } from "../../test/support/client.ts";
import { startReachablePlatform } from "../../test/support/openapi/reachable-platform.ts";

const PYTHON_SDK = "a2a-sdk[signing]==1.3.0";
const GO_SDK = "github.com/a2aproject/a2a-go/v2@v2.3.1";
const sources = join(import.meta.dirname, "cards");
const card = "/a2a/agents/assistant/.well-known/agent-card.json";

const folder = mkdtempSync(join(tmpdir(), "a2a-sdks-"));
const run = async (command: string, ...args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(command, args, { cwd: folder })).stdout.trim();

const platform = await startReachablePlatform();
try {
  const admin = clientOf(platform.url, platform.adminToken);
  const save = async (name: string, path: string, headers: Record<string, string> = {}) => {
    const { text } = await admin.call("GET", path, { headers });
    writeFileSync(join(folder, name), text);
    return name;
  };
  const unversioned = await save("card.json", card);
  const current = await save("card-1.0.json", card, { "a2a-version": "1.0" });
  const keys = await save("keys.json", "/.well-known/jwks.json");
  await run("python3", "-m", "venv", "python");
  const python = join(folder, "python/bin/python");
  await run(python, "-m", "pip", "install", "--quiet", PYTHON_SDK);
  console.log(await run(python, join(sources, "verify.py"), unversioned, current, keys));
  if (await hasGo()) {
    copyFileSync(join(sources, "main.go"), join(folder, "main.go"));
    await run("go", "mod", "init", "cards");
    await run("go", "get", GO_SDK);
    await run("go", "mod", "tidy");
    console.log(await run("go", "run", ".", unversioned));
  } else console.log("go: not installed, not tried");
} finally {
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function hasGo(): Promise<boolean> {
  return run("go", "version").then(
    () => true,
    () => false,
  );
}
