import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { deployArguments } from "../../../package/cli/commands/deploy.ts";
import { create } from "../../../package/create/main.ts";
import { pipelineOf } from "../../../package/create/make-project.ts";
import { runCommand } from "../../support/run-command.ts";

const Step = v.strictObject({
  id: v.optional(v.string()),
  uses: v.optional(v.pipe(v.string(), v.regex(/^[\w-]+\/[\w-]+@v\d+$/))),
  run: v.optional(v.string()),
  with: v.optional(v.record(v.string(), v.union([v.string(), v.number()]))),
  env: v.optional(v.record(v.string(), v.string())),
});
const Job = v.strictObject({
  if: v.optional(v.string()),
  needs: v.optional(v.string()),
  "runs-on": v.literal("ubuntu-latest"),
  "timeout-minutes": v.number(),
  environment: v.optional(v.string()),
  permissions: v.optional(v.record(v.string(), v.picklist(["read", "write"]))),
  outputs: v.optional(v.record(v.string(), v.string())),
  steps: v.array(Step),
});
const Workflow = v.looseObject({
  on: v.looseObject({ pull_request: v.null(), push: v.object({ branches: v.array(v.string()) }) }),
  permissions: v.strictObject({ contents: v.literal("read") }),
  jobs: v.record(v.string(), Job),
});

const place = mkdtempSync(join(tmpdir(), "agent-platform-pipeline-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const folder = join(place, "shop");
const made = (name: string, ...more: string[]) =>
  create([join(place, name), "--yes", "--no-install", "--package", "^1.2.3", ...more], false);

let text: string;
let jobs: v.InferOutput<typeof Workflow>["jobs"];
beforeAll(async () => {
  await made("shop", "--ci", "github");
  text = readFileSync(join(folder, ".github/workflows/deploy.yml"), "utf8");
  jobs = v.parse(Workflow, parse(text)).jobs;
});

const stepsOf = (job: string) => jobs[job]?.steps ?? [];
const commandsOf = (job: string) => stepsOf(job).flatMap(({ run }) => run ?? []);

/** Which command asks for which of its options. */
function optionsOf(words: readonly string[]): readonly string[] {
  return words.filter((word) => word.startsWith("-")).map((word) => word.split("=")[0] ?? word);
}

async function helpOf(program: string, command: string): Promise<string> {
  if (program === "agent-platform") {
    const { code, out } = await runCommand([command, "--help"], folder);
    expect(code).toBe(0);
    return out;
  }
  const cdk = join(import.meta.dirname, "../../../node_modules/aws-cdk/bin/cdk");
  return (await promisify(execFile)(process.execPath, [cdk, command, "--help"])).stdout;
}

describe("the page for coding agents", () => {
  test("is short, and has commands that are there, with options that they know", async () => {
    const page = readFileSync(join(folder, "AGENTS.md"), "utf8");
    expect(page.split("\n").length).toBeLessThanOrEqual(60);
    const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const [, commands = ""] = /```sh\n([^`]*)```/.exec(page) ?? [];
    const asked = commands.trim().split("\n");
    expect(asked.length).toBeGreaterThan(5);
    for (const command of asked) {
      const [program, ...words] = command.split(" ");
      if (program === "npm") expect(scripts, command).toHaveProperty([words.at(-1) ?? ""]);
      else {
        const help = await helpOf(words[0] ?? "", words[1] ?? "");
        for (const option of optionsOf(words)) expect(help, command).toContain(option);
      }
    }
  });
});

describe("the pipeline for GitHub Actions", () => {
  test("has commands that are there, with options that they know", async () => {
    const { scripts } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const asked = new Map<string, Set<string>>();
    const ask = (command: string, words: readonly string[]) =>
      asked.set(command, new Set([...(asked.get(command) ?? []), ...optionsOf(words)]));
    for (const command of new Set(Object.keys(jobs).flatMap(commandsOf))) {
      const [program, first = "", ...words] = command.split(" ");
      if (program === "npm") expect(first === "ci" || scripts[first] !== undefined, command).toBe(true);
      else if (program === "npx") {
        const [own, ofCdk = ""] = words.join(" ").split(" -- ");
        const [name = "", ...options] = (own ?? "").split(" ");
        ask(`${first} ${name}`, options);
        if (ofCdk !== "") ask(`cdk ${name}`, ofCdk.split(" "));
      } else expect(command).toMatch(/^(git (tag|push) --force|echo "commit=\$\(git rev-parse HEAD\)")/);
    }
    expect([...asked.keys()].sort()).toEqual([
      "agent-platform deploy",
      "agent-platform doctor",
      "cdk deploy",
      "cdk diff",
    ]);
    await Promise.all(
      [...asked].map(async ([command, options]) => {
        const [program = "", name = ""] = command.split(" ");
        const help = await helpOf(program, name);
        for (const option of options)
          expect(help, `${command} ${option}`).toMatch(new RegExp(`${option}\\b`));
      }),
    );
  });

  test("synthesizes and compares a pull request, with rights to AWS in no fork and in no test", () => {
    expect(commandsOf("check")).toEqual(["npm ci", "npm test", expect.stringContaining("--synth")]);
    expect(commandsOf("diff")).toContain("npx cdk diff --method=template -c stage=prod");
    expect(jobs.diff?.if).toContain("head.repo.full_name == github.repository");
    expect(jobs.check?.permissions).toBeUndefined();
    const withRights = Object.keys(jobs).filter((job) => jobs[job]?.permissions?.["id-token"] === "write");
    expect(withRights).toEqual(["diff", "deploy", "rollback"]);
    expect(stepsOf("diff").find(({ uses }) => uses?.startsWith("aws-actions"))?.with).toMatchObject({
      "role-to-assume": "$" + "{{ vars.AWS_ROLE_DIFF }}",
    });
  });

  test("deploys from main alone, lets the doctor look, and goes back to what was right", () => {
    for (const job of ["deploy", "rollback"]) {
      expect(jobs[job]?.environment).toBe("prod");
      expect(commandsOf(job).slice(-2)).toEqual([
        "npx agent-platform deploy --stage prod -- --require-approval never",
        "npx agent-platform doctor --stage prod",
      ]);
    }
    expect(jobs.deploy?.if).toBe("github.event_name != 'pull_request'");
    expect(jobs.mark?.needs).toBe("deploy");
    expect(commandsOf("mark").at(-1)).toBe("git push --force origin deployed/prod");
    expect(jobs.rollback?.if).toBe("failure() && needs.deploy.outputs.deployed == 'success'");
    expect(stepsOf("rollback")[0]?.with).toEqual({ ref: "deployed/prod" });
  });

  test("names no step, job or value that is not there, and puts no entered value into a command", () => {
    for (const [, job] of text.matchAll(/needs\.(\w+)\.outputs/g)) expect(Object.keys(jobs)).toContain(job);
    for (const [, name] of text.matchAll(/needs\.deploy\.outputs\.(\w+)/g))
      expect(Object.keys(jobs.deploy?.outputs ?? {})).toContain(name);
    const ids = stepsOf("deploy").flatMap(({ id }) => id ?? []);
    for (const [, id] of text.matchAll(/steps\.(\w+)\./g)) expect(ids).toContain(id);
    for (const command of Object.keys(jobs).flatMap(commandsOf)) expect(command).not.toContain("${{");
  });

  test("is there only where it is wanted, and is refused by a sentence where it would not work", async () => {
    await made("plain");
    expect(existsSync(join(place, "plain/.github"))).toBe(false);
    await expect(made("other", "--ci", "jenkins")).rejects.toThrow("There is no pipeline for jenkins");
    await expect(made("other", "--init", "--ci", "github")).rejects.toThrow("a new project");
    await expect(pipelineOf("github", "pnpm")).rejects.toThrow("npm, not pnpm");
    expect((await runCommand(["new", "there", "--ci", "github"], place)).code).toBe(0);
    expect(existsSync(join(place, "there/.github/workflows/deploy.yml"))).toBe(true);
  });
});

test("a deployment asks for rights that grow, unless its arguments decide", () => {
  expect(deployArguments("prod", []).join(" ")).toContain("--require-approval broadening");
  for (const more of [["--require-approval", "never"], ["--require-approval=never"]])
    expect(deployArguments("prod", more).join(" ")).not.toContain("broadening");
});
