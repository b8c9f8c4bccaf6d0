import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readEnv } from "../../shared/settings/read-env.ts";
import { SETTINGS_FILE } from "../../shared/settings/settings-file.ts";

const schema = v.object({ STAGE: v.string(), LIMIT: v.optional(v.string(), "none"), TABLE: v.string() });

let folder = "";
const { env } = process;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "settings-"));
  process.env = { TABLE: "t-1", LAMBDA_TASK_ROOT: folder };
});
afterEach(() => {
  process.env = env;
  rmSync(folder, { recursive: true, force: true });
});
const deploy = (text: string) => writeFileSync(join(folder, SETTINGS_FILE), text);

describe("the variables of a function", () => {
  test("are those of its environment and the settings deployed with its code", () => {
    deploy('{"STAGE":"prod","LIMIT":"7"}');
    expect(readEnv(schema)).toEqual({ STAGE: "prod", LIMIT: "7", TABLE: "t-1" });
  });

  test("can be set by an operator: the environment wins", () => {
    deploy('{"STAGE":"prod","LIMIT":"7"}');
    process.env.LIMIT = "0";
    expect(readEnv(schema).LIMIT).toBe("0");
  });

  test.each([
    ["no file", undefined],
    ["a file that is cut off", '{"STAGE":"prod"'],
    ["a file with something else in it", '{"STAGE":1}'],
  ])("are not guessed where there is %s: the function does not start", (_, text) => {
    if (text !== undefined) deploy(text);
    expect(() => readEnv(schema)).toThrow(/settings cannot be read: .*settings\.json/);
  });

  test("come from the environment alone outside of a function", () => {
    delete process.env.LAMBDA_TASK_ROOT;
    process.env.STAGE = "test";
    expect(readEnv(schema)).toEqual({ STAGE: "test", LIMIT: "none", TABLE: "t-1" });
  });
});
