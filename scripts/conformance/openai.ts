/**
 * Runs OpenAI's client for Python against a platform of its own: `npm run conformance:openai`. Needs Python 3.10 or newer (`PYTHON`,
 * otherwise `python3`), and PyPI the first time. With `-- --librechat` LibreChat's package is run too (444 MB of npm), and with
 * `-- --open-webui` functions of Open WebUI's wheel (106 MB); their requests are recorded for the tests. Exits with an error where a
 * check fails.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { startPlatform } from "../../test/support/platform.ts";
import { cache, npmFolder, once } from "./installed.ts";
import { clientScript, pythonWithOpenai } from "./openai/python.ts";

const LIBRECHAT = { "@librechat/agents": "3.9.2" } as const;
const OPEN_WEBUI = "0.12.4";
const withLibrechat = process.argv.includes("--librechat");
const withOpenWebui = process.argv.includes("--open-webui");
const recordedIn = join(import.meta.dirname, "../../test/long/openai");
const run = promisify(execFile);
const here = join(import.meta.dirname, "openai");

const [python, librechat, openWebui] = await Promise.all([
  pythonWithOpenai(),
  withLibrechat ? folderWith("librechat.mjs", LIBRECHAT) : undefined,
  withOpenWebui ? wheelOfOpenWebui() : undefined,
]);
const platform = await startPlatform();
try {
  const scopes = ["agents:read", "agents:run", "teams:run", "workflows:run", "sessions:delete"];
  const env = {
    ...process.env,
    OPENAI_BASE_URL: `${platform.url}/v1`,
    OPENAI_API_KEY: platform.token("maria", scopes),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const checks = [
    [python, clientScript],
    ...(librechat
      ? [
          [
            process.execPath,
            join(librechat, "librechat.mjs"),
            join(recordedIn, "librechat-requests.json"),
          ] as const,
        ]
      : []),
    ...(openWebui
      ? [
          [
            python,
            join(here, "open-webui.py"),
            openWebui,
            join(recordedIn, "open-webui-requests.json"),
          ] as const,
        ]
      : []),
  ] as const;
  for (const [program, ...args] of checks) {
    const { code, text } = await run(program, args, { env }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      (error: { stdout?: string; stderr?: string }) => ({
        code: 1,
        text: `${error.stdout ?? ""}${error.stderr ?? String(error)}`,
      }),
    );
    console.log(text);
    process.exitCode ||= code;
  }
} finally {
  await platform.stop();
}

/** @returns path of its wheel, which is not installed */
async function wheelOfOpenWebui(): Promise<string> {
  const folder = join(cache, `open-webui-${OPEN_WEBUI}`);
  await once(folder, async () => {
    mkdirSync(folder, { recursive: true });
    const wanted = ["--no-deps", "--only-binary", ":all:", "--python-version", "3.11"];
    const args = [
      "-m",
      "pip",
      "download",
      "--quiet",
      ...wanted,
      "--dest",
      folder,
      `open-webui==${OPEN_WEBUI}`,
    ];
    await run(process.env.PYTHON || "python3", args);
  });
  const [wheel = ""] = readdirSync(folder).filter((name) => name.endsWith(".whl"));
  return join(folder, wheel);
}

/** @returns a folder with a script of this one's, in which it finds its packages */
async function folderWith(script: string, packages: Readonly<Record<string, string>>): Promise<string> {
  const folder = await npmFolder(packages);
  cpSync(join(here, script), join(folder, script));
  return folder;
}
