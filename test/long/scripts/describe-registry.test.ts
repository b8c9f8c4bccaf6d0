import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type SourceState, sourceState } from "../../../build/bundles/source-state.ts";
import { type Project, projectOf } from "../../../build/project/project.ts";
import { currentManifest, describeRegistry } from "../../../build/registry/describe-registry.ts";
import { explainStartupError } from "../../../local/explain-startup-error.ts";

/** A registry of another project, which imports the platform from here. Inside of this one, where it finds its packages. */
const root = join(import.meta.dirname, "../../..");
const define = join(root, "shared/engine/define/index.ts");
let home: string;
let project: Project;

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
};
const agentFile = (id: string, more = ""): string =>
  `import { defineAgent } from ${JSON.stringify(define)};\n${more}\nexport const agent = defineAgent({ id: "${id}", name: "A" });\n`;
const index = (agents: readonly string[], more = ""): string =>
  `${agents.map((name) => `import { agent as ${name} } from "./agents/${name}.ts";`).join("\n")}
${more}
export const registry = { agents: [${agents}], teams: [], workflows: [] };\n`;
const described = () => describeRegistry(project, sourceState(project));
/** Of a registry that is refused nothing is recorded, so it is the same whichever sources it is given. */
let anySources: SourceState | undefined;
const refusal = async (): Promise<string> => {
  anySources ??= sourceState(project);
  const error = await describeRegistry(project, anySources).catch((thrown: unknown) => thrown);
  // As the start, the build and the synthesis show it: a sentence, without a stack of the platform's.
  return String(explainStartupError(error, ".local"));
};

beforeEach(() => {
  mkdirSync(join(root, ".local"), { recursive: true });
  home = mkdtempSync(join(root, ".local/registry-"));
  write("package.json", '{"type":"module"}');
  write("src/registry.ts", index(["one", "two"]));
  write("src/agents/one.ts", agentFile("one"));
  write("src/agents/two.ts", agentFile("two"));
  project = projectOf({ registry: join(home, "src/registry.ts") });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("a registry is described, and not loaded again before a source of it has changed", async () => {
  expect(currentManifest(project, sourceState(project))).toBeUndefined();
  expect(await described()).toMatchObject({ agents: ["one", "two"], needs: [] });
  expect(currentManifest(project, sourceState(project))).toMatchObject({ agents: ["one", "two"] });
  write("src/agents/two.ts", agentFile("three"));
  expect(currentManifest(project, sourceState(project))).toBeUndefined();
  expect(await described()).toMatchObject({ agents: ["one", "three"] });
});

test("a source outside of the registry's folder counts too", async () => {
  write("prompts/words.ts", `export const id = "from outside";`);
  write(
    "src/agents/two.ts",
    agentFile("two", `import { id } from "../../prompts/words.ts"; console.log(id);`),
  );
  await described();
  // What was saved right before is not taken for what was loaded.
  await new Promise((resolve) => setTimeout(resolve, 50));
  await described();
  expect(currentManifest(project, sourceState(project))).toBeDefined();
  write("prompts/words.ts", `export const id = "changed";`);
  expect(currentManifest(project, sourceState(project))).toBeUndefined();
});

describe("a registry is refused, with the place in the user's own file,", () => {
  test("that is no TypeScript, once and with the line", async () => {
    write("src/agents/two.ts", agentFile("two", "const broken = (;"));
    const text = await refusal();
    expect(text).toMatch(/^src\/agents\/two\.ts:2:17: Unexpected ";"\n {4}const broken = \(;$/);
  });

  test("that throws what is no error, as it is written", async () => {
    write("src/agents/two.ts", agentFile("two", `throw { code: "E_SHOP", at: { line: 3 } };`));
    expect(await refusal()).toContain(
      "the registry cannot be loaded: something was thrown: { code: 'E_SHOP', at: { line: 3 } }",
    );
  });

  test("that throws while it is loaded, with the way there", async () => {
    write("src/lib/price.ts", `export function price(of: any) {\n  return of.amount.value;\n}\n`);
    write(
      "src/agents/two.ts",
      agentFile("two", `import { price } from "../lib/price.ts";\nexport const fee = price({});`),
    );
    const text = await refusal();
    expect(text).toMatch(
      /^src\/lib\/price\.ts:2:\d+: the registry cannot be loaded: TypeError: Cannot read properties of undefined/,
    );
    expect(text.split("\n").slice(1)).toEqual([
      expect.stringMatching(/^ {4}at src\/lib\/price\.ts:2:\d+$/),
      expect.stringMatching(/^ {4}at src\/agents\/two\.ts:3:\d+$/),
    ]);
  });

  test("whose tool asks for too much", async () => {
    write(
      "src/agents/two.ts",
      `import * as v from "valibot";
import { defineAgent, defineTool } from ${JSON.stringify(define)};
const tool = defineTool({
  name: "look", description: "", parameters: v.object({}), effect: "safe",
  permissions: [{ actions: ["dynamodb:*"], resources: ["*"] }], execute: () => "",
});
export const agent = defineAgent({ id: "two", name: "Two", tools: [tool] });`,
    );
    expect(await refusal()).toMatch(
      /^src\/agents\/two\.ts:3:\d+: the registry cannot be loaded: Error: the tool look: the action "dynamodb:\*".*one by one\.$/,
    );
  });

  test("with two agents of one id, both with their places", async () => {
    write("src/agents/two.ts", agentFile("one"));
    const text = await refusal();
    expect(text).toMatch(/^src\/agents\/one\.ts:3:\d+: two agents have the id "one"/);
    expect(text).toMatch(/at src\/agents\/two\.ts:3:\d+$/);
  });

  test.each([
    ["a tool twice", "tools: [tool, { ...tool }]", "add", "the agent two has two tools named add"],
    ["a name that no model takes", "tools: [tool]", "add numbers", 'the tool "add numbers" has a name'],
  ])("with %s", async (_, tools, name, text) => {
    write(
      "src/agents/two.ts",
      `import * as v from "valibot";
import { defineAgent, defineTool } from ${JSON.stringify(define)};
const tool = defineTool({ name: "${name}", description: "", parameters: v.object({}), effect: "safe", execute: () => "" });
export const agent = defineAgent({ id: "two", name: "Two", ${tools} });`,
    );
    const refused = await refusal();
    expect(refused).toMatch(/^src\/agents\/two\.ts:3:\d+: /);
    expect(refused).toContain(text);
  });

  test.each([
    [
      "an agent",
      `defineAgent({ id: "two", name: "Two", instruction: "Be kind." })`,
      "the agent two",
      "instruction",
      "an agent",
      "instructions",
    ],
    [
      "a team",
      `defineTeam({ id: "two", name: "Two", members: [], member: [] })`,
      "the team two",
      "member",
      "a team",
      "members",
    ],
    [
      "a workflow",
      `defineWorkflow({ id: "two", name: "Two", steps: [], descripton: "" })`,
      "the workflow two",
      "descripton",
      "a workflow",
      "description",
    ],
    [
      "a tool",
      `defineAgent({ id: "two", name: "Two", tools: [defineTool({ name: "look", description: "", parameters: v.object({}), effect: "safe", require_confirmation: true, execute: () => "" })] })`,
      "the tool look",
      "require_confirmation",
      "a tool",
      "requires_confirmation",
    ],
  ])("with a setting that %s does not have", async (_, declaration, who, name, kind, nearest) => {
    write(
      "src/two.ts",
      `import * as v from "valibot";
import { defineAgent, defineTeam, defineTool, defineWorkflow } from ${JSON.stringify(define)};
export const two = ${declaration};
void [v, defineAgent, defineTeam, defineTool, defineWorkflow];`,
    );
    const list = declaration.startsWith("defineTeam")
      ? "agents: [], teams: [two], workflows: []"
      : declaration.startsWith("defineWorkflow")
        ? "agents: [], teams: [], workflows: [two]"
        : "agents: [two], teams: [], workflows: []";
    write("src/registry.ts", `import { two } from "./two.ts";\nexport const registry = { ${list} };`);
    expect(await refusal()).toMatch(
      new RegExp(
        `^src/two\\.ts:3:\\d+: ${who} has "${name}", which is no setting of ${kind}; did you mean ${nearest}\\?`,
      ),
    );
  });

  test.each(["MODEL", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "PORT", "NODE_OPTIONS"])(
    "whose tool declares a secret with the name of a setting: %s",
    async (name) => {
      write(
        "src/agents/two.ts",
        `import { defineAgent, defineMcpTools } from ${JSON.stringify(define)};
const crm = defineMcpTools({ url: "https://crm.example", name: "crm", secrets: ["${name}"] });
export const agent = defineAgent({ id: "two", name: "Two", tool_sources: [crm] });`,
      );
      expect(await refusal()).toMatch(
        new RegExp(`^src/agents/two\\.ts:2:\\d+: the MCP server crm declares the secret ${name}, which is`),
      );
    },
  );

  test.each([
    [
      "an agent without a name",
      `defineAgent({ id: "two" })`,
      'the agent two has no name; give it one: name: "…"',
    ],
    [
      "a tool whose schema cannot be shown to a model",
      `defineAgent({ id: "two", name: "Two", tools: [defineTool({ name: "look", description: "", parameters: z.object({ day: z.date() }), effect: "safe", execute: () => "" })] })`,
      "the parameters of the tool look cannot be written as a JSON Schema: Date cannot",
    ],
    [
      "a tool without a schema",
      `defineAgent({ id: "two", name: "Two", tools: [defineTool({ name: "look", description: "", parameters: { day: "string" }, effect: "safe", execute: () => "" })] })`,
      "the parameters of the tool look must be a schema of valibot, zod 4, arktype",
    ],
  ])("with %s", async (_, declaration, text) => {
    write(
      "src/agents/two.ts",
      `import { z } from "zod";
import { defineAgent, defineTool } from ${JSON.stringify(define)};
export const agent = ${declaration};
void [z, defineTool];`,
    );
    const refused = await refusal();
    expect(refused).toMatch(/^src\/agents\/two\.ts:3:\d+: /);
    expect(refused).toContain(text);
  });

  test("with a bad id, an unknown package, no registry, and a slip", async () => {
    write("src/agents/two.ts", agentFile("t/w o"));
    expect(await refusal()).toMatch(/^src\/agents\/two\.ts:3:\d+: the agent "t\/w o" has an id/);
    write("src/agents/two.ts", agentFile("two", `import thing from "no-such-package"; console.log(thing);`));
    expect(await refusal()).toBe("src/agents/two.ts:2: the package no-such-package is not installed");
    write("src/agents/two.ts", agentFile("two", "const a = ;"));
    expect(await refusal()).toMatch(/src\/agents\/two\.ts:2:11/);
    write("src/agents/two.ts", agentFile("two"));
    write("src/registry.ts", "export const agents = [];");
    expect(await refusal()).toMatch(/^src\/registry\.ts: it exports no `registry`/);
    write("src/registry.ts", "export const registry = { agents: [undefined], teams: [], workflows: [] };");
    expect(await refusal()).toMatch(/^src\/registry\.ts: entry 1 of agents is nothing that was declared/);
  });

  test("that waits for ever, or ends the process", async () => {
    write("src/agents/two.ts", agentFile("two", "await new Promise(() => {});"));
    expect(await refusal()).toBe(
      "src/registry.ts: it waits at its top level for something that never comes (await)",
    );
    write("src/agents/two.ts", agentFile("two", "process.exit(3);"));
    expect(await refusal()).toBe("src/registry.ts: it ended the process that loaded it (code 3)");
  });
});

test("a registry sees no variable of the developer's, and may leave a timer running", async () => {
  process.env.SOME_DEVELOPERS_KEY = "set";
  write(
    "src/agents/two.ts",
    agentFile(
      "two",
      `setInterval(() => {}, 1000); if (process.env.SOME_DEVELOPERS_KEY) throw new Error("seen");`,
    ),
  );
  expect(await described()).toMatchObject({ agents: ["one", "two"] });
});
