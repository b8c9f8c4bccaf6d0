import { join } from "node:path";
import { expect, test } from "vitest";
import { importsByPath, sourceFiles } from "../../scripts/imports/source-imports.ts";

const files = sourceFiles(join(import.meta.dirname, "../.."));
const imports = importsByPath(files);
/** What is loaded once `requireCdk` has found the CDK. */
const deploying = ["package/cli/commands/app.ts", "package/cli/commands/deploy.ts"];
const ofTheCdk = /^import (?!type\b)[^;]*?from "(?:aws-cdk-lib|cdk-nag|constructs)\b/m;

/** What is reached from a file, each with the file that imports it. */
function reachedFrom(first: string): ReadonlyMap<string, string> {
  const reached = new Map([[first, ""]]);
  for (const path of reached.keys())
    for (const target of imports.get(path) ?? [])
      if (!reached.has(target) && !deploying.includes(target)) reached.set(target, path);
  return reached;
}

test("no command but those that deploy needs the CDK, which a new project does not have", () => {
  const reached = reachedFrom("package/cli/main.ts");
  const faults = files
    .filter(({ path, source }) => reached.has(path) && ofTheCdk.test(source))
    .map(({ path }) => `${path}, imported by ${reached.get(path)}`);
  expect(faults).toEqual([]);
  expect(reached.size).toBeGreaterThan(300);
  expect(files.some(({ path, source }) => deploying.includes(path) && ofTheCdk.test(source))).toBe(true);
});
