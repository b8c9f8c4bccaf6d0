import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type GuideSource, stepsIn } from "../../scripts/docs/guide-steps.ts";

const root = join(import.meta.dirname, "../..");
const example = join(root, "examples/support-desk");
const steps = stepsIn(readFileSync(join(root, "docs/tutorial.md"), "utf8"));
const sources = steps.filter((step): step is GuideSource => step.kind === "source");
const commands = steps.flatMap((step) => (step.kind === "command" ? [step.text] : []));

test("whoever follows the tutorial has the example in the end, file by file", () => {
  const written = new Map(sources.map(({ path = "", text }) => [path, text]));
  const files = readdirSync(example, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && statSync(join(example, path)).isFile(),
  );
  expect([...written.keys()].toSorted()).toEqual(files.toSorted());
  for (const [path, text] of written) expect(text, path).toBe(readFileSync(join(example, path), "utf8"));
});

test("it installs what the example needs, and removes what the template has beside it", () => {
  const { dependencies } = JSON.parse(readFileSync(join(example, "_package.json"), "utf8"));
  for (const [name, version] of Object.entries<string>(dependencies)) {
    const [, major] = /^\^(\d+)\./.exec(version) ?? [];
    expect(commands).toContain(`npm install ${name}@${major}`);
  }
  const removed = commands.flatMap((text) => (text.startsWith("rm ") ? text.split(" ").slice(1) : []));
  expect(removed.length).toBeGreaterThan(0);
  for (const path of removed) expect(existsSync(join(root, "package/template", path)), path).toBe(true);
});

test("it writes the values that the example has", () => {
  for (const [name, file] of [
    ["demo", "_env"],
    ["test", "_env.test"],
  ] as const) {
    expect(commands).toContain(`echo "SHOP_KEY=${name}" > ${file.replace("_env", ".env")}`);
    expect(readFileSync(join(example, file), "utf8")).toContain(`SHOP_KEY=${name}\n`);
  }
});
