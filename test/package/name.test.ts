import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ownSpec } from "../../package/create/own-spec.ts";
import { PACKAGE_NAME } from "../../package/name.ts";

const root = join(import.meta.dirname, "../..");
const place = mkdtempSync(join(tmpdir(), "agent-platform-name-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const json = (...path: string[]) => JSON.parse(readFileSync(join(root, ...path), "utf8"));

test("the package, its lock file and the template of a project have one name, with a scope", () => {
  expect(PACKAGE_NAME).toMatch(/^@[a-z-]+\/[a-z-]+$/);
  expect(json("package.json").name).toBe(PACKAGE_NAME);
  expect(json("package-lock.json").packages[""].name).toBe(PACKAGE_NAME);
  expect(json("package/template/_package.json").dependencies).toHaveProperty([PACKAGE_NAME]);
});

test("no file imports the package by a name without a scope, or has a user run such a name outside of a project", () => {
  const unscoped = [
    String.raw`(from|import\() ?["']agent-platform(/|["'])`,
    "npx (--yes )?agent-platform(@[^ ]+)? new",
    String.raw`(npm (i|install)|pnpm add|yarn add) agent-platform\b`,
  ];
  const found = (pattern: string): string => {
    try {
      const files = ["*.ts", "*.tsx", "*.mjs", "*.md", "*.json", ":!CHANGELOG.md", ":!docs/decisions"];
      return execFileSync("git", ["grep", "-nE", pattern, "--", ...files], { cwd: root, encoding: "utf8" });
    } catch {
      return ""; // git ends with 1 where nothing is found
    }
  };
  expect(unscoped.flatMap((pattern) => found(pattern).trim().split("\n")).filter(Boolean)).toEqual([]);
});

test("a new project depends on the file that the package was installed from, else on its version", () => {
  const modules = join(place, "node_modules");
  const own = join(modules, PACKAGE_NAME);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, "package.json"), JSON.stringify({ name: PACKAGE_NAME, version: "1.2.3" }));
  expect(ownSpec(own)).toBe("^1.2.3");
  const installed = (resolved: string) =>
    writeFileSync(
      join(modules, ".package-lock.json"),
      JSON.stringify({ packages: { [`node_modules/${PACKAGE_NAME}`]: { resolved } } }),
    );
  installed("https://registry.example/core/-/core-1.2.3.tgz");
  expect(ownSpec(own)).toBe("^1.2.3");
  installed("file:../made/core-1.2.3.tgz");
  expect(ownSpec(own)).toBe(`file:${join(place, "../made/core-1.2.3.tgz")}`);
});
