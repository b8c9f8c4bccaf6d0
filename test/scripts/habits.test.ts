import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { checkCommitSubjects, longSubjects } from "../../scripts/habits/commit-subjects.ts";
import { judgeDuplication } from "../../scripts/habits/duplication.ts";
import { functionLengths, judgeLengths } from "../../scripts/habits/function-lengths.ts";

/** A folder of its own with these files. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "agent-platform-habits-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

describe("the length of functions", () => {
  test("is counted in lines, with those of the functions within", () => {
    const root = folderWith({
      "scripts/habits/tsconfig.json": JSON.stringify({
        compilerOptions: {
          noLib: true,
          noResolve: true,
          types: [],
          allowImportingTsExtensions: true,
          noEmit: true,
        },
        include: ["../../shared"],
      }),
      "shared/a.ts":
        "export function outer() {\n  const inner = () => {\n    return 1;\n  };\n  return inner;\n}\n",
      "shared/b.ts": "export const table = { method() {}, value: function () {} };\n",
    });
    expect(functionLengths(root)).toEqual([
      { path: "shared/a.ts", name: "outer", lines: 6 },
      { path: "shared/a.ts", name: "inner", lines: 3 },
      { path: "shared/b.ts", name: "method", lines: 1 },
      { path: "shared/b.ts", name: "value", lines: 1 },
    ]);
  });

  const long = [{ path: "shared/a.ts", name: "plan", lines: 90 }];

  test.each([
    ["a new long function", {}, /shared\/a.ts plan: 90 lines, at most 80/],
    ["a known one that has grown", { "shared/a.ts plan": 89 }, /it may only shrink/],
    ["a known one that has shrunk", { "shared/a.ts plan": 91 }, /write that into/],
  ])("refuses %s", (_, known, fault) => {
    expect(judgeLengths(long, known)).toEqual([expect.stringMatching(fault)]);
  });

  test("accepts a known one, and refuses an entry that is not needed any more", () => {
    expect(judgeLengths(long, { "shared/a.ts plan": 90 })).toEqual([]);
    expect(judgeLengths([], { "shared/a.ts plan": 90 })).toEqual([expect.stringMatching(/remove it/)]);
  });
});

describe("duplicated lines", () => {
  const place = (name: string) => ({ name: `/project/${name}`, start: 1, end: 9 });
  const report = {
    duplicates: [{ lines: 9, firstFile: place("shared/a.ts"), secondFile: place("shared/b.ts") }],
    statistics: { total: { duplicatedLines: 9 } },
  };

  test("may be as many as they are", () => {
    expect(judgeDuplication("/project", report, 9)).toEqual([]);
  });

  test("may not become more; both places are named", () => {
    expect(judgeDuplication("/project", report, 8)).toEqual([
      "9 lines stand twice, at most 8 may:",
      "  shared/a.ts:1-9 and shared/b.ts:1-9",
    ]);
  });
});

describe("the subjects of commits", () => {
  test("have 72 characters at most", () => {
    expect(longSubjects([{ id: "a", subject: "x".repeat(72) }])).toEqual([]);
    expect(longSubjects([{ id: "b", subject: "x".repeat(73) }])).toEqual([
      expect.stringMatching(/^b has 73 characters, at most 72/),
    ]);
  });

  test("are those since the branch left main", () => {
    const root = folderWith({});
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd: root });
    git("init", "--quiet", "--initial-branch=main");
    git("commit", "--quiet", "--allow-empty", "-m", `old: ${"x".repeat(80)}`);
    git("checkout", "--quiet", "-b", "change");
    expect(checkCommitSubjects(root)).toEqual([]);
    git("commit", "--quiet", "--allow-empty", "-m", `new: ${"x".repeat(80)}`);
    expect(checkCommitSubjects(root)).toEqual([expect.stringMatching(/new: /)]);
  });

  test("are not looked at where there is no history", () => {
    expect(checkCommitSubjects(folderWith({}))).toEqual([]);
  });
});
