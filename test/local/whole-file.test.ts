import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFileOnce, replaceFile } from "../../local/machine/whole-file.ts";
import { callAtOnce } from "../support/at-once.ts";
import { temporaryFolder } from "./fixture-cloud.ts";

const calls = new URL("./whole-file-calls.ts", import.meta.url);
const names = Array.from({ length: 20 }, (_, i) => `file-${i}`);
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const files = (): [string][] => names.map((name) => [join(folder, name)]);

describe("a file that is created once", () => {
  test("is created by one of those who try at once, and whole for all of them", async () => {
    const rounds = await callAtOnce(calls, ["create", "create", "create", "read"], files());
    for (const round of rounds) {
      const results = round.map((outcome) => ("result" in outcome ? String(outcome.result) : outcome.error));
      const found = `found ${results[3]?.at(-1)}`;
      expect(results.sort()).toEqual([found.replace("found", "created"), found, found, found]);
    }
    expect(readdirSync(folder).sort()).toEqual([...names].sort());
  });

  test("has the permissions that were asked for, and leaves an older one alone", () => {
    const file = join(folder, "secret");
    expect(createFileOnce(file, "first", 0o600)).toBe(true);
    expect(statSync(file)).toMatchObject({ size: 5 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(createFileOnce(file, "the second", 0o600)).toBe(false);
    expect(statSync(file)).toMatchObject({ size: 5 });
    expect(readdirSync(folder)).toEqual(["secret"]);
  });

  test("cannot be created where there is no folder, which is said", () => {
    expect(() => createFileOnce(join(folder, "missing", "file"), "", 0o600)).toThrow("ENOENT");
  });
});

describe("a file that is replaced", () => {
  test("is whole for all who write and read it at once", async () => {
    const rounds = await callAtOnce(calls, ["replace", "replace", "replace", "read"], files());
    expect(rounds.flat().filter((outcome) => "error" in outcome)).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual([...names].sort());
  });

  test("leaves nothing behind when it cannot be put in its place", async () => {
    mkdirSync(join(folder, "taken"));
    await expect(replaceFile(join(folder, "taken"), "text")).rejects.toThrow("EISDIR");
    expect(readdirSync(folder)).toEqual(["taken"]);
  });
});
