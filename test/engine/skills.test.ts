import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readSkills } from "../../build/skills/read-skills.ts";
import { resolveSkills as resolveIn } from "../../shared/engine/component/build/resolve-skills.ts";
import { registryEntries } from "../../shared/engine/component/registry-entries.ts";
import { defineAgent } from "../../shared/engine/define/agent.ts";
import { defineRegistry, type Registry } from "../../shared/engine/define/registry.ts";
import { registryProblems } from "../../shared/engine/define/registry-problems.ts";
import { describeModels } from "../../shared/engine/model/models.ts";
import { parseSkill } from "../../shared/engine/skill/parse-skill.ts";
import { skillText } from "../../shared/engine/turn/system-text.ts";
import { aRequest, runAgent } from "./support/run-agent.ts";

const folder = mkdtempSync(join(tmpdir(), "skills-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const desk = defineAgent({
  id: "desk",
  name: "Desk",
  instructions: "Be kind.",
  skills: ["./skills/refunds"],
});

/** What tools have answered in a run that calls them, and whether that was an error. */
async function answersTo(...calls: readonly string[]) {
  const input = calls.map((call) => `[[tool:${call}]]`).join("");
  const { outcome } = await runAgent("", { agent: desk, request: aRequest(input) });
  return (outcome.output.messages ?? []).filter(({ role }) => role === "tool");
}

const skill = (home: string, path: string, text: string | Buffer): void => {
  const file = join(folder, home, "skills", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const minimal = (name: string, description = "A skill."): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;

describe("a model is shown of skills", () => {
  test("their names and descriptions, the same bytes in every run", async () => {
    const systems = [await runAgent("a", { agent: desk }), await runAgent("b", { agent: desk })].map(
      ({ outcome }) => outcome.output.messages?.[0]?.content ?? "",
    );
    expect(systems[0]).toBe(systems[1]);
    expect(systems[0]).toContain(
      "<skill><name>refunds</name><description>How refunds above 100 &lt;dollars&gt; are checked &amp; paid. Use when a guest wants money back.</description></skill>",
    );
    expect(systems[0]).not.toContain("number of the order");
  });

  test("nothing of their files, however many there are", () => {
    skill("few", "refunds/SKILL.md", minimal("refunds"));
    skill("many", "refunds/SKILL.md", minimal("refunds"));
    for (let i = 0; i < 100; i++) skill("many", `refunds/references/r${i}.md`, "x".repeat(1_000));
    const many = readSkills(join(folder, "many")).skills;
    expect(many[0]?.references).toHaveLength(100);
    expect(skillText(many)).toBe(skillText(readSkills(join(folder, "few")).skills));
  });
});

describe("a model reads", () => {
  test("instructions, then a reference and a script, which is not executed", async () => {
    const [instructions, reference, short, script] = await answersTo(
      'get_skill_instructions {"skill_name":"refunds"}',
      'get_skill_reference {"skill_name":"refunds","reference_path":"limits.md"}',
      'get_skill_reference {"skill_name":"refunds","reference_path":"references/limits.md"}',
      'get_skill_script {"skill_name":"refunds","script_path":"sum.py"}',
    );
    expect(JSON.parse(instructions?.content ?? "")).toMatchObject({
      skill_name: "refunds",
      instructions: expect.stringMatching(/^# Refunds\n\n1\. Read references\/limits\.md\./),
      available_references: ["limits.md"],
      available_scripts: ["sum.py"],
    });
    expect(reference?.content).toContain("need the manager");
    expect(short?.content).toContain("need the manager");
    expect(JSON.parse(script?.content ?? "")).toMatchObject({ content: 'print("sum")\n' });
  });

  test("no file that is not the skill's own, and its error names those there are", async () => {
    const answers = await answersTo(
      'get_skill_reference {"skill_name":"refunds","reference_path":"../../index.ts"}',
      'get_skill_script {"skill_name":"refunds","script_path":"/etc/passwd"}',
      'get_skill_instructions {"skill_name":"returns"}',
    );
    expect(answers.map(({ tool_call_error }) => tool_call_error)).toEqual([true, true, true]);
    expect(answers[0]?.content).toContain("It has: limits.md");
    expect(answers[2]?.content).toContain("There are: refunds");
  });
});

describe("the build", () => {
  test("names file and line of what is wrong", () => {
    skill("wrong", "refunds/SKILL.md", "---\nname: Refunds\ndescription: x\ncolour: red\n---\n");
    skill("wrong", "broken/SKILL.md", "---\nname: [broken\n---\n");
    const { problems, skills } = readSkills(join(folder, "wrong"));
    expect(skills).toEqual([]);
    expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual([
      "skills/broken/SKILL.md:2",
      "skills/refunds/SKILL.md:4",
      "skills/refunds/SKILL.md:2",
      "skills/refunds/SKILL.md:2",
    ]);
  });

  test("follows no link out of the folder, leaves pictures out, and refuses a file that is too large", () => {
    skill("links", "one/SKILL.md", minimal("one"));
    skill("links", "one/assets/logo.png", Buffer.from([0x89, 0x50, 0]));
    skill("links", "one/assets/form.md", "Name:\r\n");
    skill("links", "one/references/large.md", "x".repeat(300_000));
    symlinkSync("/etc/passwd", join(folder, "links/skills/one/references/passwd.md"));
    const { skills, texts, problems } = readSkills(join(folder, "links"));
    expect(skills[0]).toMatchObject({ assets: ["assets/form.md"], references: ["large.md"] });
    expect(texts["skills/one"]?.["assets/form.md"]).toBe("Name:\n");
    expect(problems).toEqual([
      { file: "skills/one/references/large.md", text: "it has 293 KB, and 256 KB are the most" },
    ]);
  });

  test("refuses an agent whose skill is nowhere", () => {
    const lost = defineAgent({ id: "lost", name: "Lost", skills: ["./skills/nowhere"] });
    const [problem] = registryProblems(defineRegistry({ agents: [lost] }), () => false);
    expect(problem).toMatchObject({
      text: expect.stringMatching(
        /^the agent lost has the skill "\.\/skills\/nowhere", where no SKILL\.md is/,
      ),
      about: [lost],
    });
  });
});

test("what is registered has the skills among it", () => {
  const registry = defineRegistry({ parts: { skills: ["./skills"] } });
  const entries = registryEntries(registry, describeModels("scripted"));
  expect(entries.filter(({ type }) => type === "skill")).toMatchObject([
    { name: "refunds", description: expect.any(String), metadata: { references: expect.any(Array) } },
  ]);
});

/** Where no skill is stored. */
const resolveSkills = (config: unknown, registry: Registry) =>
  resolveIn(config, registry, async () => ({ value: undefined, faults: [] }));

test("a stored component has the registered skills that it names, and no others", async () => {
  const registry = defineRegistry({ parts: { skills: ["./skills"] } });
  expect(await resolveSkills(["refunds"], registry)).toEqual({ value: ["skills/refunds"], faults: [] });
  expect((await resolveSkills(["returns"], registry)).faults).toEqual([
    { path: "skills[0]", message: "skill returns is not registered", error_code: "NOT_FOUND" },
  ]);
  expect((await resolveSkills(["refunds"], defineRegistry({}))).faults).toHaveLength(1);
});

describe("a skill that a stored component holds itself", () => {
  const files = { "SKILL.md": minimal("returns"), "references/a.md": "A" };
  const faultsOf = async (...skills: readonly unknown[]) =>
    (await resolveSkills(skills, defineRegistry({ parts: { skills: ["./skills"] } }))).faults;

  test("is read as one of the registry is", async () => {
    const { value, faults } = await resolveSkills([{ name: "returns", files }], defineRegistry({}));
    expect(faults).toEqual([]);
    expect(value).toMatchObject([
      { name: "returns", description: "A skill.", references: ["a.md"], scripts: [], texts: files },
    ]);
  });

  test("is refused where the format refuses it, by file and line", async () => {
    expect(await faultsOf({ name: "returns", files: { "SKILL.md": minimal("Returns") } })).toMatchObject([
      {
        path: "skills[0].files.SKILL.md",
        message: expect.stringContaining("line 2: its name must be in lower case"),
      },
      { message: expect.stringContaining('must be that of its folder, "returns"') },
    ]);
    expect(await faultsOf({ name: "returns", files: {} })).toMatchObject([{ path: "skills[0].files" }]);
    for (const path of ["../a.md", "/a.md", "a/../b.md", ".env", "a//b", "a\\b"])
      expect((await faultsOf({ name: "returns", files: { ...files, [path]: "x" } })).length).toBe(1);
    expect(
      await faultsOf("refunds", { name: "refunds", files: { "SKILL.md": minimal("refunds") } }),
    ).toMatchObject([{ path: "skills[1]", message: "there are two skills of the name refunds" }]);
  });
});

test("values are texts, also over several lines and in quotes", () => {
  const file = `---\nname: a-b\ndescription: >-\n  One\n  two.\nlicense: "MIT: \\"x\\""\nmetadata:\n  version: 1.0\n---\nBody`;
  expect(parseSkill(file, "a-b")).toEqual({
    skill: {
      name: "a-b",
      description: "One two.",
      license: 'MIT: "x"',
      metadata: { version: "1.0" },
      instructions: "Body",
    },
  });
});
