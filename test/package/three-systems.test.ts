import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "../..");
const { jobs } = parse(readFileSync(join(root, ".github/workflows/three-systems.yml"), "utf8"));
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const commands: string[] = jobs.try.steps.flatMap(({ run }: { run?: string }) => run ?? []);

test("the three systems are tried, with commands that there are", () => {
  expect(jobs.try.strategy.matrix.system.map((name: string) => name.split("-")[0])).toEqual(
    expect.arrayContaining(["ubuntu", "macos", "windows"]),
  );
  const named = commands.flatMap((command) => /^npm run (\S+)/.exec(command)?.[1] ?? []);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  expect(named.length).toBeGreaterThan(0);
  const folders = commands.flatMap((command) => command.match(/test\/\S+/g) ?? []);
  expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  expect(folders.length).toBeGreaterThan(0);
});
