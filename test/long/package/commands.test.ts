import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseEnv } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commandLine, runCommand as run } from "../../support/run-command.ts";

const place = mkdtempSync(join(tmpdir(), "agent-platform-commands-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** A folder with a config and an empty registry. */
function project(): string {
  const folder = mkdtempSync(join(place, "project-"));
  writeFileSync(join(folder, "agent-platform.config.mjs"), "export default {};");
  writeFileSync(
    join(folder, "registry.ts"),
    "export const registry = { agents: [], teams: [], workflows: [] };",
  );
  return folder;
}

describe("the command line", () => {
  test("a command for a platform that does not run says how it is started", async () => {
    const folder = project();
    const { code, err } = await run(["status", "--url", "http://127.0.0.1:9"], folder);
    expect([code, err]).toEqual([2, expect.stringContaining("set AGENT_PLATFORM_TOKEN")]);
    const { err: stopped } = await run(["run", "desk", "hello"], folder, { PORT: "9" });
    expect(stopped).toBe("Nothing answers at http://127.0.0.1:9; npx agent-platform dev starts it.\n");
  });

  test("a stage is asked for with credentials; without them a sentence says so, and no stack", async () => {
    const folder = project();
    const signedOut = {
      HOME: place,
      AWS_REGION: "",
      AWS_DEFAULT_REGION: "",
      AWS_EC2_METADATA_DISABLED: "true",
    };
    const { code, err } = await run(["token", "--stage", "dev"], folder, signedOut);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^AWS cannot be reached with your credentials: .+\nSign in .+\n$/),
    ]);
  });

  describe("what AWS refuses is a sentence, and no stack", () => {
    const refusal = '{"__type":"AccessDeniedException","message":"Ada may not do this."}';
    const refusing = createServer((_, response) =>
      response.writeHead(400, { "content-type": "application/x-amz-json-1.1" }).end(refusal),
    );
    beforeAll(() => once(refusing.listen(0, "127.0.0.1"), "listening"));
    afterAll(() => void refusing.close());
    const ended = async (...args: string[]) => {
      const address = refusing.address();
      const signedIn = {
        AWS_ENDPOINT_URL: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
        AWS_REGION: "eu-central-1",
        AWS_ACCESS_KEY_ID: "AKIA0000000000000000",
        AWS_SECRET_ACCESS_KEY: "x",
      };
      const options = { cwd: project(), env: { ...process.env, ...signedIn } };
      const child = execFile(process.execPath, [commandLine, ...args, "--stage", "prod"], options);
      child.stdin?.end("a value\n");
      const [err, [code]] = await Promise.all([child.stderr ? text(child.stderr) : "", once(child, "exit")]);
      return [code, err];
    };

    test("where a secret is stored", async () => {
      expect(await ended("secrets", "set", "CRM_KEY")).toEqual([
        1,
        expect.stringMatching(/^AWS refused it: AccessDeniedException: Ada may not do this\.\n$/),
      ]);
    });

    test("where a stage is removed, before its templates are made", async () => {
      expect(await ended("destroy", "--yes")).toEqual([
        2,
        expect.stringMatching(
          /^AWS cannot be reached with your credentials: .*Ada may not do this\.\nSign in .+ then try again\.\n$/,
        ),
      ]);
    });
  });

  test("whoever reads what is printed may stop, as `head` does", async () => {
    const child = spawn(process.execPath, [commandLine, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
    expect([code, err]).toEqual([0, ""]);
  });

  test("a secret is read from the input into a file that its user alone can read", async () => {
    const folder = project();
    const set = (value: string) => {
      const child = execFile(process.execPath, [commandLine, "secrets", "set", "CRM_KEY"], { cwd: folder });
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
    const { out } = await run(["completion", "bash"], place);
    const completed = (...words: string[]) => {
      const script = `${out}\nCOMP_WORDS=(agent-platform "$@")\nCOMP_CWORD=$#\n_agent_platform\necho "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", script, "bash", ...words], { encoding: "utf8" }).trim();
    };
    expect(completed("st")).toBe("start status");
    expect(completed("logs", "--f")).toBe("--follow");
    expect(completed("logs", "run-1", "--j")).toBe("--json");
    expect(completed("secrets", "")).toBe("list set");
    expect(completed("secrets", "set", "KEY", "--s")).toBe("--stage");
    expect(completed("new", "desk", "--template", "r")).toBe("research-team rag");
    expect(completed("eval", "cases.csv", "--type", "rel")).toBe("reliability");
    const fish = (await run(["completion", "fish"], place)).out;
    expect(fish).toContain(
      '__fish_seen_subcommand_from secrets; and __fish_seen_subcommand_from list" -l json',
    );
    expect((await run(["completion", "csh"], place)).err).toContain("there is for bash, zsh, fish");
  });

  test("logs are readable, or lines for programs with --json", async () => {
    const folder = project();
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
});
