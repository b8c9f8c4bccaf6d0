import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { projectOf } from "../../build/project/project.ts";
import { unhoisted } from "../../build/registry/describe-registry.ts";
import { managerOf, missingTools } from "../../package/cli/optional-tools.ts";
import { manager } from "../../package/create/install.ts";
import { create } from "../../package/create/main.ts";
import { ofManager } from "../../package/create/make-project.ts";
import { neededPackages, needsNode, nodePackages } from "../../package/create/needed-packages.ts";

const place = mkdtempSync(join(tmpdir(), "agent-platform-create-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));
const read = (...path: string[]) => readFileSync(join(place, ...path), "utf8");
const made = (name: string, ...more: string[]) =>
  create([join(place, name), "--yes", "--no-install", "--package", "^1.2.3", ...more], false);

describe("a new project", () => {
  test.each([
    ["assistant", "agents/assistant.ts"],
    ["support-desk", "tools/refund-order.ts"],
    ["research-team", "agents/research-team.ts"],
    ["rag", "documents/opening-hours.md"],
    ["morning-report", "scripts/receive-reports.ts"],
    ["expense-claims", "workflows/expense-claim.ts"],
  ])("of the template %s has what is its own, and nothing of another", async (template, file) => {
    await made(template, "--template", template, "--model", "openai:gpt-6.1-sol");
    expect(existsSync(join(place, template, file))).toBe(true);
    expect(existsSync(join(place, template, "agents/assistant.ts"))).toBe(template === "assistant");
    expect(read(template, "agent-platform.config.ts")).toContain('local: { model: "openai:gpt-6.1-sol" }');
    expect(JSON.parse(read(template, "package.json"))).toMatchObject({
      name: template,
      dependencies: { "@agentplatform/core": "^1.2.3" },
    });
  });

  test("has the packages and the secrets that its template needs beside the common ones", async () => {
    await made("desk", "--template", "support-desk");
    expect(JSON.parse(read("desk", "package.json"))).toMatchObject({
      scripts: { dev: "agent-platform dev" },
      dependencies: { "@agentplatform/core": "^1.2.3", valibot: "^1.5.0", zod: "^4.6.0" },
    });
    // npm would speak of a script that no project needs.
    expect(JSON.parse(read("desk", "package.json"))).toMatchObject({ allowScripts: { esbuild: false } });
    expect([read("desk", ".env"), read("desk", ".env.test")]).toEqual([
      expect.stringContaining("SHOP_KEY=demo"),
      expect.stringContaining("SHOP_KEY=test"),
    ]);
    expect(read("desk", ".gitignore").split("\n")).toContain(".env");
    expect(read("desk", "README.md")).toContain("# Support desk");
  });

  test("brings a Node of its own only where its user's is older", () => {
    expect([needsNode("20.11.0"), needsNode("22.4.1"), needsNode("24.0.0"), needsNode("25.1.0")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("depends on a locked Node where its user's is older, and on nothing else of a machine", () => {
    expect(neededPackages("24.21.0")).toEqual({});
    const { name = "", version } = nodePackages[`${process.platform}-${process.arch}`] ?? {};
    expect(neededPackages("20.20.2", "yarn")).toEqual({ optionalDependencies: { [name]: version } });
    expect(neededPackages("20.20.2", "npm")).toEqual({
      optionalDependencies: Object.fromEntries(
        Object.values(nodePackages).map(({ name, version }) => [name, version]),
      ),
    });
  });

  test("has the versions that this repository is tested with", () => {
    const { optionalDependencies } = JSON.parse(
      readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"),
    );
    for (const { name, version } of Object.values(nodePackages))
      expect(optionalDependencies).toHaveProperty([name], version);
  });

  test("is refused by a sentence: an unknown template, an unknown option, a folder with files", async () => {
    await expect(made("other", "--template", "chatbot")).rejects.toThrow("There is no template chatbot");
    await expect(made("other", "--frobnicate")).rejects.toThrow("--frobnicate");
    writeFileSync(join(place, "file"), "");
    await expect(made(".")).rejects.toThrow("is not empty");
  });
});

describe("agents are added to a project that is there", () => {
  test("beside its code: its own files and entries stay as they are", async () => {
    const folder = join(place, "shop");
    mkdirSync(folder);
    const before = {
      name: "shop",
      type: "module",
      scripts: { agents: "mine" },
      dependencies: { valibot: "1.0.0" },
    };
    writeFileSync(join(folder, "package.json"), JSON.stringify(before));
    writeFileSync(join(folder, ".gitignore"), "node_modules/");
    const cwd = process.cwd();
    process.chdir(folder);
    try {
      await create(["--init", "--template", "rag", "--no-install", "--package", "^1.2.3"], false);
      await expect(create(["--init", "--no-install"], false)).rejects.toThrow("agents here already");
    } finally {
      process.chdir(cwd);
    }
    expect(JSON.parse(read("shop", "package.json"))).toMatchObject({
      name: "shop",
      scripts: { agents: "mine", "agents:deploy": "agent-platform deploy" },
      dependencies: { valibot: "1.0.0", "@agentplatform/core": "^1.2.3" },
    });
    expect(read("shop", "agent-platform.config.ts")).toContain('registry: "./agent-platform/registry.ts"');
    expect(read("shop", "agent-platform/agents/librarian.ts")).toContain("defineAgent");
    expect(read("shop", ".gitignore").split("\n")).toEqual(
      expect.arrayContaining(["node_modules/", ".local/"]),
    );
    for (const file of ["README.md", "AGENTS.md"]) expect(existsSync(join(folder, file))).toBe(false);
  });
});

test("where the project's own modules are of CommonJS, as npm init makes it, the added ones are not, and the project is the same", async () => {
  const folder = join(place, "commonjs");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "commonjs", type: "commonjs" }));
  const cwd = process.cwd();
  process.chdir(folder);
  try {
    await create(["--init", "--no-install", "--package", "^1.2.3"], false);
  } finally {
    process.chdir(cwd);
  }
  expect(JSON.parse(read("commonjs", "agent-platform/package.json"))).toEqual({ type: "module" });
  expect(existsSync(join(folder, "agent-platform.config.ts"))).toBe(false);
  const node = [process.execPath, "--input-type=module", "-e"] as const;
  const script = `import(${JSON.stringify(join(folder, "agent-platform.config.mjs"))}).catch((error) => console.log(error.code))`;
  expect(execFileSync(node[0], [...node.slice(1), script], { cwd: folder, encoding: "utf8" }).trim()).toBe(
    "ERR_MODULE_NOT_FOUND", // of the package, which is not installed: the file itself is read as a module
  );
  expect(projectOf({ registry: join(folder, "agent-platform/registry.ts") }).home).toBe(folder);
});

describe("agents are added to a package of a monorepo of pnpm", () => {
  test("whose settings are at its top: a file of its own would take the package out of it", async () => {
    const top = join(place, "workspace");
    const folder = join(top, "packages/agents");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(top, "pnpm-workspace.yaml"), "packages: [packages/*]\n");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const { npm_config_user_agent: before = "" } = process.env;
    const cwd = process.cwd();
    const said: unknown[] = [];
    const { log } = console;
    process.env.npm_config_user_agent = "pnpm/12.21.0 npm/? node/v24.0.0";
    console.log = (text) => said.push(text);
    process.chdir(folder);
    try {
      await create(["--init", "--no-install", "--package", "^1.2.3"], false);
    } finally {
      process.chdir(cwd);
      console.log = log;
      process.env.npm_config_user_agent = before;
    }
    expect(existsSync(join(folder, "pnpm-workspace.yaml"))).toBe(false);
    expect(read("workspace", "pnpm-workspace.yaml")).toBe("packages: [packages/*]\n");
    expect(said.join("\n")).toContain(`Put these lines into ${join(top, "pnpm-workspace.yaml")}:`);
    expect(existsSync(join(folder, "agent-platform.config.ts"))).toBe(true);
  });
});

describe("the CDK", () => {
  test("is missed by name, and added with the manager whose lockfile is nearest", () => {
    const inside = join(place, "mono/packages/agents");
    mkdirSync(inside, { recursive: true });
    writeFileSync(join(place, "mono/pnpm-lock.yaml"), "");
    expect(managerOf(inside)).toEqual(["pnpm", "add", "-D"]);
    expect(managerOf(place)).toEqual(["npm", "install", "--save-dev"]);
    expect(missingTools({ "a-package-that-is-not-there": "1.0.0", valibot: "1.0.0" }, inside)).toEqual([
      "a-package-that-is-not-there",
    ]);
  });

  test("a project of pnpm or yarn says where packages of packages belong, and an older one is named the line", () => {
    const [settings] = ofManager("pnpm");
    expect(settings?.path).toBe("pnpm-workspace.yaml");
    expect(parse(settings?.text ?? "")).toMatchObject({
      nodeLinker: "hoisted",
      allowBuilds: { esbuild: false },
    });
    expect(ofManager("yarn")).toEqual([{ path: ".yarnrc.yml", text: "nodeLinker: node-modules\n" }]);
    expect(ofManager("npm")).toEqual([]);
    expect(unhoisted("@cfworker/json-schema")).toContain("nodeLinker: hoisted into pnpm-workspace.yaml");
  });

  test("the manager that started the command installs", () => {
    expect(manager("pnpm/10.1.0 npm/? node/v24")).toBe("pnpm");
    expect(manager("npm/11.0.0 node/v24")).toBe("npm");
  });
});
