import { execFile } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { explainStartupError } from "../../local/explain-startup-error.ts";
import { progressLine } from "../../local/progress-line.ts";
import { synthesize } from "../../local/template/synthesize.ts";
import { temporaryFolder } from "./fixture-cloud.ts";

const folder = temporaryFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("what keeps the platform from starting is said with what to do", () => {
  test("packages that are not installed", async () => {
    mkdirSync(join(folder, "local"));
    cpSync(join(import.meta.dirname, "../../local/start.mjs"), join(folder, "local/start.mjs"));
    const started = promisify(execFile)(process.execPath, [join(folder, "local/start.mjs")]);
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Run "npm ci" first'),
    });
  });

  test("a folder that cannot be written", () => {
    const error = Object.assign(new Error("EACCES: permission denied, mkdir 'x'"), { code: "EACCES" });
    expect(explainStartupError(error, "/data")).toBe(
      "EACCES: permission denied, mkdir 'x'. The platform writes to dist/, to node_modules/.cache/ and to /data (DATA_DIR).",
    );
  });

  test("a setting that cannot be used, found in the thread that synthesizes", async () => {
    const wrong = { stage: "local", lock_grace_seconds: "abc" };
    const error = await synthesize(wrong, join(folder, "cdk.out")).catch((thrown: unknown) => thrown);
    expect(explainStartupError(error, "/data")).toBe(
      "the configuration is not usable: lock_grace_seconds: must be a number",
    );
  });

  test("anything else is shown whole", () => {
    const error = new Error("a defect");
    expect(explainStartupError(error, "/data")).toBe(error);
  });
});

describe("progress", () => {
  const shown = (isTTY: boolean): string => {
    let text = "";
    const line = progressLine({ isTTY, columns: 8, write: (more) => (text += more) });
    line.passing("1 of 2 functions");
    line.lasting("done");
    return text;
  };

  test("stays on one line of a terminal, cut to its width", () => {
    expect(shown(true)).toBe("\r\x1b[K1 of 2 \r\x1b[Kdone\n");
  });

  test("elsewhere is only what stays", () => {
    expect(shown(false)).toBe("done\n");
  });
});
