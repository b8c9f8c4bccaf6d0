/**
 * Compares what is read as a skill with the format's own validator, `skills-ref`: `npm run conformance:skills`. Needs Python 3.11
 * or newer (`PYTHON`, otherwise `python3`), and PyPI the first time. Exits with an error where the two differ.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseSkill } from "../../shared/engine/skill/parse-skill.ts";

const VERSION = "0.1.1";
const environment = join(
  import.meta.dirname,
  `../../node_modules/.cache/agent-platform/conformance/skills-ref-${VERSION}`,
);

/** Files by the folder that they are in. */
const cases: readonly (readonly [folder: string, file: string])[] = [
  ...["pdf-processing", "a", "a1", "1", "技能", "мой-навык", "café", "a".repeat(64)].map(valid),
  ...["PDF", "-a", "a-", "a--b", "a_b", "a b", "a.b", "НАВЫК", "a".repeat(65), "é-É"].map(valid),
  ["right", skill("name: wrong\ndescription: x")],
  ["café", skill("name: cafe\u0301\ndescription: x")],
  ...[
    "",
    "description:",
    'description: ""',
    "description: x",
    `description: ${"x".repeat(1_024)}`,
    `description: ${"x".repeat(1_025)}`,
    "description: >\n  one\n  two",
    "description: |-\n  one\n  two",
    "description: one\n  two\n  three",
    'description: "one: two"',
    "description: 'it''s'",
    "description: one: two",
    "description: [one, two]",
    "description: {one: two}",
    "description: &anchor x",
    "description: *anchor",
    "description: !tag x",
    "description: @x",
    "description: `x`",
    "description: %x",
    "description: true",
    "description: 1.0",
    "description: x # comment",
    "description: x\ndescription: y",
    "description: x\nunknown: y",
    "description: x\nlicense: MIT",
    "description: x\ncompatibility: Python",
    `description: x\ncompatibility: ${"x".repeat(501)}`,
    "description: x\nallowed-tools: Bash(git:*) Read",
    "description: x\nmetadata:\n  author: a\n  version: 1.0",
    'description: x\nmetadata:\n  "quoted key": a',
    "description: x\n\n# comment\nlicense: MIT",
    "description: x\n  license: MIT",
    "description:\n  one: two",
    "description:\n  - one",
    'description: "open',
  ].map((more): readonly [string, string] => ["good", skill(`name: good\n${more}`)]),
  ["good", "# no frontmatter"],
  ["good", "---\nname: good\ndescription: x\n"],
  ["good", "---\n- a\n- list\n---\n"],
  ["good", "---\n---\n"],
  ["good", "\n---\nname: good\ndescription: x\n---\n"],
  ["good", "---\r\nname: good\r\ndescription: x\r\n---\r\nBody\r\n"],
];

function valid(name: string): readonly [string, string] {
  return [name, skill(`name: ${name}\ndescription: x`)];
}

function skill(frontmatter: string): string {
  return `---\n${frontmatter}\n---\nBody\n`;
}

function python(): string {
  const path = join(environment, "bin/python");
  if (existsSync(join(environment, "installed"))) return path;
  rmSync(environment, { recursive: true, force: true });
  execFileSync(process.env.PYTHON || "python3", ["-m", "venv", environment]);
  execFileSync(path, ["-m", "pip", "install", "--quiet", `skills-ref==${VERSION}`]);
  writeFileSync(join(environment, "installed"), VERSION);
  return path;
}

const ASK =
  "import sys,json\nfrom pathlib import Path\nfrom skills_ref.validator import validate\nprint(json.dumps([validate(Path(p)) for p in json.load(sys.stdin)]))";

const folder = mkdtempSync(join(tmpdir(), "skills-"));
try {
  const paths = cases.map(([name, file], at) => {
    const path = join(folder, String(at), name);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "SKILL.md"), file);
    return path;
  });
  const answered = execFileSync(python(), ["-c", ASK], { input: JSON.stringify(paths), encoding: "utf8" });
  const theirs: readonly (readonly string[])[] = JSON.parse(answered);
  const differing = cases.filter(([name, file], at) => {
    const ours = parseSkill(file, name);
    const own = "problems" in ours ? ours.problems : [];
    const isSame = own.length > 0 === (theirs[at] ?? []).length > 0;
    if (!isSame) console.log(JSON.stringify({ name, file, ours: own, theirs: theirs[at] }));
    return !isSame;
  });
  console.log(`${cases.length - differing.length} of ${cases.length} as the reference`);
  process.exitCode = differing.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
