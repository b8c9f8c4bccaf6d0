import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environmentOf } from "../../local/template/app-context.ts";
import { readProject, settingsOf } from "../../package/config/read-project.ts";
import { PACKAGE_NAME } from "../../package/name.ts";

const root = join(import.meta.dirname, "../..");
const main = join(root, "package/cli/main.ts");

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "agent-platform-cli-"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

type Ended = { readonly code: number; readonly out: string; readonly err: string };

/** Runs the command line in a folder. */
async function run(args: readonly string[], cwd = place): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, ...args], { cwd });
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

describe("the command line", () => {
  test.each([
    [["frobnicate"], "unknown command 'frobnicate'"],
    [["dev", "--frobnicate"], "unknown option '--frobnicate'"],
    [["new"], "missing required argument 'folder'"],
    [["destroy"], "--stage <name>' not specified"],
    [["dev"], "There is no agent-platform.config.ts"],
  ])("wrong input ends with 2 and a sentence: %j", async (args, sentence) => {
    const { code, err } = await run(args);
    expect(code).toBe(2);
    expect(err).toContain(sentence);
    expect(err).not.toContain("    at ");
  });

  test("help names every command, and each has its own", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    const commands =
      "new dev start run chat eval status open secrets deploy destroy token logs doctor completion".split(
        " ",
      );
    for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command} `, "m"));
    expect((await run(["deploy", "--help"])).out).toContain("--stage");
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect((await run(["--version"])).out.trim()).toBe(version);
  });

  test("a new project has what its README names, and is never made over files", async () => {
    const { code, out } = await run(["new", "My Agents", "--package", "^9.9.9"]);
    expect([code, out]).toEqual([0, expect.stringContaining("npm run dev")]);
    const folder = join(place, "My Agents");
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining([
        ".gitignore",
        ".env.example",
        "README.md",
        "agent-platform.config.ts",
        "agents",
        "cdk.json",
        "package.json",
        "registry.ts",
        "test",
        "tools",
        "tsconfig.json",
      ]),
    );
    const made = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    expect(made).toMatchObject({ name: "my-agents", dependencies: { [PACKAGE_NAME]: "^9.9.9" } });
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name), "utf8"), name).not.toContain("{{");
    }
    const again = await run(["new", "My Agents"]);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining("is not empty")]);
  });

  test("a command for a platform that does not run says how it is started", async () => {
    const folder = projectWith("export default {};");
    const { code, err } = await run(["status", "--url", "http://127.0.0.1:9"], folder);
    expect([code, err]).toEqual([2, expect.stringContaining("set AGENT_PLATFORM_TOKEN")]);
    const { stderr } = await promisify(execFile)(process.execPath, [main, "run", "desk", "hello"], {
      cwd: folder,
      env: { ...process.env, PORT: "9" },
    }).catch((error: { stderr: string }) => error);
    expect(stderr).toBe("Nothing answers at http://127.0.0.1:9; npx agent-platform dev starts it.\n");
  });

  test("a secret is read from the input into a file that its user alone can read", async () => {
    const folder = projectWith("export default {};");
    const set = (value: string) => {
      const child = execFile(process.execPath, [main, "secrets", "set", "CRM_KEY"], { cwd: folder });
      child.stdin?.end(value);
      return once(child, "exit");
    };
    expect(await set("it's 1\n")).toEqual([0, null]);
    expect(await set("two words\n")).toEqual([0, null]);
    const file = join(folder, ".env.local");
    expect(parseEnv(readFileSync(file, "utf8"))).toEqual({ CRM_KEY: "two words" });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("shells complete commands and options", async () => {
    const { out } = await run(["completion", "bash"]);
    expect(out).toMatch(/logs\) words="--url --lines --follow --json"/);
    expect(out).toContain("complete -F _agent_platform agent-platform");
    expect((await run(["completion", "csh"])).err).toContain("there is for bash, zsh, fish");
  });

  test("logs are readable, or lines for programs with --json", async () => {
    const folder = projectWith("export default {};");
    mkdirSync(join(folder, ".local"));
    const written = JSON.stringify({
      level: "INFO",
      message: "request",
      timestamp: "2026-11-24T12:00:00Z",
      status: 200,
    });
    writeFileSync(join(folder, ".local/functions.log"), `Runs ${written}\n`);
    expect((await run(["logs"], folder)).out).toMatch(/request {2}status 200\n$/);
    expect((await run(["logs", "--json"], folder)).out).toBe(`Runs ${written}\n`);
  });

  test("a token is printed alone, for this machine's platform", async () => {
    const folder = projectWith("export default {};");
    const { code, out } = await run(["token", "--sub", "ada", "--scopes", "agents:run agents:read"], folder);
    expect(code).toBe(0);
    const [, payload = ""] = out.trim().split(".");
    expect(JSON.parse(Buffer.from(payload, "base64url").toString())).toMatchObject({
      sub: "ada",
      scopes: ["agents:run", "agents:read"],
    });
    expect((await run(["token", "--hours", "none"], folder)).code).toBe(2);
  });
});

let projects = 0;
/** A folder with a config and an empty registry. */
function projectWith(config: string): string {
  const folder = join(place, `project-${++projects}`);
  mkdirSync(folder);
  writeFileSync(join(folder, "agent-platform.config.mjs"), config);
  writeFileSync(
    join(folder, "registry.ts"),
    "export const registry = { agents: [], teams: [], workflows: [] };",
  );
  return folder;
}

describe("the config of a project", () => {
  test("settings of a stage stand over those of all", async () => {
    const project = await readProject(
      projectWith(
        "export default { settings: { max_attempts: 2, a2a: true }, stages: { prod: { max_attempts: 5 } } };",
      ),
    );
    expect(settingsOf(project, "dev")).toEqual({ max_attempts: 2, a2a: true });
    expect(settingsOf(project, "prod")).toEqual({ max_attempts: 5, a2a: true });
    expect(() => settingsOf(project, "prd")).toThrow('no stage "prd". It has dev, prod.');
  });

  test.each([
    ["export const config = {};", "must export its config"],
    ["export default { registri: './registry.ts' };", "registri is not known"],
    ["export default { registry: './nowhere.ts' };", "there is no"],
    ["export default { settings: { tracng: 'on' } };", "tracng is no setting; did you mean tracing?"],
    [
      "export default { local: { maxAttempts: 3 } };",
      "maxAttempts is no setting; did you mean max_attempts?",
    ],
    ["export default { stages: { prod: { domain: 'a.example' } } };", "domain is no setting"],
    ["throw new Error('not today');", "cannot be loaded: not today"],
  ])("what cannot be used is reported in a sentence: %s", async (config, sentence) => {
    await expect(readProject(projectWith(config))).rejects.toThrow(sentence);
  });

  test("on a machine the settings are the variables that `npm start` reads; what means nothing there is left out", () => {
    expect(
      environmentOf({
        max_attempts: 3,
        a2a: true,
        modelPrices: { x: { input: 1 } },
        domainName: "agents.example.com",
        fetchAllowedHosts: ["files.test:80", "hooks.test:81"],
      }),
    ).toEqual({
      FETCH_ALLOWED_HOSTS: "files.test:80,hooks.test:81",
      MAX_ATTEMPTS: "3",
      A2A_ENABLED: "true",
      MODEL_PRICES: '{"x":{"input":1}}',
    });
  });
});
