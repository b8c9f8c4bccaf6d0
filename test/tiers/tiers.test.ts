import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sourceRoots } from "../../scripts/imports/source-imports.ts";
import { affectedTests, changedFiles } from "../../scripts/test/changed.ts";
import { tooLong } from "../support/tiers/file-times.ts";
import { filesOf, type Tier } from "../support/tiers/tiers.ts";

const root = join(import.meta.dirname, "../..");

const inTier = (tier: Tier): string[] => {
  const { include, exclude } = filesOf(tier);
  return globSync(include, { cwd: root, exclude });
};

describe("the two tiers", () => {
  test("are all test files together, and each file is in one of them", () => {
    const all = globSync("test/**/*.test.ts", { cwd: root }).toSorted();
    expect([...inTier("quick"), ...inTier("long")].toSorted()).toEqual(all);
    expect(inTier("quick").length).toBeGreaterThan(100);
    expect(inTier("long").length).toBeGreaterThan(50);
  });

  test("a file of the quick tier that takes over three seconds of the processor is named", () => {
    const times = [
      { path: "test/domain/plan.test.ts", seconds: 3.1 },
      { path: "test/domain/plan-again.test.ts", seconds: 2.9 },
      { path: "test/long/flows/walk.test.ts", seconds: 40 },
    ];
    expect(tooLong(times).map(({ path }) => path)).toEqual(["test/domain/plan.test.ts"]);
  });
});

describe("what changed", () => {
  let project: string;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: project });

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), "changed-"));
    for (const folder of sourceRoots) {
      mkdirSync(join(project, folder), { recursive: true });
    }
    write("shared/plan.ts", "export const plan = 1;\n");
    write("shared/act.ts", 'export { plan } from "./plan.ts";\n');
    write("functions/queue/index.ts", "export {};\n");
    write("docs/page.md", "A page.\n");
    write("test/domain/act.test.ts", 'import "../../shared/act.ts";\n');
    write("test/long/queue/list.test.ts", 'import "vitest";\n');
    write("test/docs/page.test.ts", 'const page = "page.md";\n');
    git("init", "--quiet", "--initial-branch", "main");
    git("add", ".");
    git("commit", "--quiet", "--message", "before");
  });
  afterEach(() => rmSync(project, { recursive: true, force: true }));

  test.each([
    ["a module", "shared/plan.ts", ["test/domain/act.test.ts"]],
    ["a function", "functions/queue/index.ts", ["test/long/queue/list.test.ts"]],
    ["a document", "docs/page.md", ["test/docs/page.test.ts"]],
    ["a test", "test/domain/act.test.ts", ["test/domain/act.test.ts"]],
  ])("in %s is tested by what imports or names it, or has its room", (_what, path, expected) => {
    write(path, "export const changed = 1;\n");
    expect(changedFiles(project, "main")).toEqual([path]);
    expect(affectedTests(project, [path])).toEqual(expected);
  });

  test("includes what git does not track yet", () => {
    write("test/domain/new.test.ts", "export {};\n");
    expect(affectedTests(project, changedFiles(project, "main"))).toEqual(["test/domain/new.test.ts"]);
  });
});
