import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filesOf, isTemplate, templates, writeFiles } from "../../../package/create/make-project.ts";
import { PACKAGE_NAME } from "../../../package/name.ts";

const root = join(import.meta.dirname, "../../..");

/** The templates, each as a folder of one project, whose package is this checkout. */
let project: string;
beforeAll(async () => {
  project = mkdtempSync(join(root, "node_modules/.cache/template-"));
  for (const template of Object.keys(templates).filter(isTemplate)) {
    const files = await filesOf({ template, model: "scripted", spec: "^1.0.0" }, template);
    await writeFiles(template === "assistant" ? project : join(project, template), files);
  }
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  const entries = {
    "": "package/index",
    "/cdk": "package/cdk",
    "/client": "client/index",
    "/testing": "package/testing",
  };
  const paths = Object.fromEntries(
    Object.entries(entries).map(([name, path]) => [`${PACKAGE_NAME}${name}`, [join(root, `${path}.ts`)]]),
  );
  // Of the package's own sources, which a project's compiler does not see.
  const ofSources = {
    lib: ["es2024", "esnext.disposable"],
    resolveJsonModule: true,
    exactOptionalPropertyTypes: true,
  };
  writeFileSync(
    join(project, "tsconfig.here.json"),
    JSON.stringify({ extends: "./tsconfig.json", compilerOptions: { paths, ...ofSources } }),
  );
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** What the compiler finds, with a file in it that has a wrong setting: compiling everything twice takes twice as long. */
let errors: readonly string[];
beforeAll(async () => {
  writeFileSync(
    join(project, "wrong.ts"),
    'import { defineConfig } from "@agentplatform/core";\nexport default defineConfig({ settings: { maxAttempts: 3 } });\n',
  );
  const tsc = join(root, "node_modules/.bin/tsc");
  const failed = promisify(execFile)(tsc, ["-p", "tsconfig.here.json", "--pretty", "false"], {
    cwd: project,
  });
  const { stdout = "" } = await failed.catch((error: { readonly stdout?: string }) => error);
  errors = stdout.split("\n").filter((line) => /^\S/.test(line));
});
const isWrong = (line: string): boolean => line.startsWith("wrong.ts(");

test("the code of a new project has no type error, whatever its template", () => {
  expect(errors.filter((line) => !isWrong(line))).toEqual([]);
});

test("a setting of a wrong name in its config is a type error", () => {
  expect(errors.filter(isWrong)).toEqual([expect.stringContaining("maxAttempts")]);
});
