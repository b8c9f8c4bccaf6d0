import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import { describeRegistry } from "../../../build/bundles/index.ts";
import { sourceState } from "../../../build/bundles/source-state.ts";
import { projectOf } from "../../../build/index.ts";
import { create } from "../../../package/create/main.ts";
import { PACKAGE_NAME } from "../../../package/name.ts";

/** Recipes that are done as they stand, in a folder in which packages are found. */

const root = join(import.meta.dirname, "../../..");
const text = readFileSync(join(root, "docs/guide/recipes.md"), "utf8");
const blockWith = (language: string, part: string): string =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))]
    .map(([, block = ""]) => block)
    .find((block) => block.includes(part)) ?? "";

let place = "";
const newPlace = (name: string): string => {
  mkdirSync(join(root, ".local"), { recursive: true });
  place = mkdtempSync(join(root, ".local", `${name}-`));
  return place;
};
const write = (path: string, contents: string): void => {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), contents);
};
afterEach(() => rmSync(place, { recursive: true, force: true }));

test("the React front end with sign-in compiles, and asks with the package's client", async () => {
  newPlace("recipe-react");
  write("app.tsx", blockWith("tsx", "react-oidc-context"));
  write("ask.ts", blockWith("ts", "export async function ask"));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    jsx: "react-jsx",
    target: "es2024",
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
    types: [],
    skipLibCheck: true,
    paths: { [`${PACKAGE_NAME}/client`]: [join(root, "client/index.ts")] },
  };
  const files = ["app.tsx", "ask.ts"];
  const errors = async (): Promise<readonly string[]> => {
    write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
    const tsc = promisify(execFile)(join(root, "node_modules/.bin/tsc"), ["-p", ".", "--pretty", "false"], {
      cwd: place,
    });
    const { stdout = "" } = await tsc.catch((error: { readonly stdout?: string }) => error);
    return stdout.split("\n").filter((line) => /^\S/.test(line));
  };
  expect(await errors()).toEqual([]);
  // It would find something.
  write("app.tsx", blockWith("tsx", "react-oidc-context").replace("user.access_token", "user.token"));
  expect(await errors()).toEqual([expect.stringMatching(/^app\.tsx.*'token' does not exist/)]);
});

test("in a monorepo, init adds agents to a package, and another package's code is part of them", async () => {
  newPlace("recipe-monorepo");
  write("package.json", '{ "name": "shop", "private": true, "workspaces": ["packages/*"] }');
  write("packages/agents/package.json", '{ "name": "@shop/agents", "type": "module" }');
  write(
    "packages/hours/package.json",
    '{ "name": "@shop/hours", "type": "module", "exports": "./index.ts" }',
  );
  write("packages/hours/index.ts", 'export const hours = "nine-to-five";');
  const home = join(place, "packages/agents");
  const cwd = process.cwd();
  process.chdir(home);
  try {
    await create(["--init", "--package", "^1.0.0"], false);
  } finally {
    process.chdir(cwd);
  }
  const { dependencies, scripts } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  expect(dependencies).toHaveProperty([PACKAGE_NAME]);
  expect(scripts).toMatchObject({ agents: "agent-platform dev" });
  // As an `npm install` at the top leaves it.
  for (const [name, to] of [
    ["@shop/hours", join(place, "packages/hours")],
    [PACKAGE_NAME, root],
  ] as const) {
    mkdirSync(dirname(join(place, "node_modules", name)), { recursive: true });
    symlinkSync(to, join(place, "node_modules", name), "junction");
  }
  const agent = "packages/agents/agent-platform/agents/assistant.ts";
  const written = readFileSync(join(place, agent), "utf8");
  write(agent, `import { hours } from "@shop/hours";\n${written.replace('id: "assistant"', "id: hours")}`);
  const project = projectOf({ registry: join(home, "agent-platform/registry.ts") });
  expect(project.home).toBe(home);
  const { agents } = await describeRegistry(project, sourceState(project));
  expect(agents).toEqual(["nine-to-five"]);
});
