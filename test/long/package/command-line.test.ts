import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environmentOf } from "../../../local/template/app-context.ts";
import { readProject, settingsOf } from "../../../package/config/read-project.ts";
import { PACKAGE_NAME } from "../../../package/name.ts";
import { runCommand } from "../../support/run-command.ts";

const root = join(import.meta.dirname, "../../..");

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "agent-platform-cli-"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const run = (args: readonly string[], cwd = place) => runCommand(args, cwd);

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
