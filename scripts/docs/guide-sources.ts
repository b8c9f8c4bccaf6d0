import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GuideSource } from "./guide-steps.ts";

/** Where fragments of guides are written, below the copy. */
const FRAGMENTS = "registry/fragments";
const DEFINE = "shared/engine/define/index.ts";

/**
 * Writes a TypeScript block of a guide into a copy of the project: to the file that the guide names, and lists an agent
 * there as the guide instructs its reader to; or, for a declaration without a file, to one of its own, with the imports that
 * it lacks where it has none.
 *
 * @param name  of the guide, for the file of a fragment
 * @returns the file below the copy; undefined for a part of a declaration, which says nothing alone
 */
export function writeSource(folder: string, name: string, source: GuideSource): string | undefined {
  const { path, text, line } = source;
  if (path !== undefined) {
    write(folder, path, text);
    if (path.startsWith("registry/agents/")) listAgent(folder, path, text);
    return path;
  }
  if (!/^export (?:const|async function|function) /m.test(text)) return undefined;
  const fragment = `${FRAGMENTS}/${name}-${line}.ts`;
  write(folder, fragment, /^import /m.test(text) ? text : importsFor(folder, text) + text);
  return fragment;
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** Imports an agent in `registry/index.ts` and adds it to `agents`. */
function listAgent(folder: string, path: string, text: string): void {
  const [, agent = ""] = /export const (\w+)/.exec(text) ?? [];
  const index = join(folder, "registry/index.ts");
  const before = readFileSync(index, "utf8");
  const after = before.replace("agents: [", `agents: [${agent}, `);
  writeFileSync(index, `import { ${agent} } from "./${path.replace("registry/", "")}";\n${after}`);
}

/** Imports of the names that a fragment uses: of valibot, of what declares components, and of the registry's tools. */
function importsFor(folder: string, text: string): string {
  const declared = new Set([...text.matchAll(/export const (\w+)/g)].map(([, name]) => name));
  const used = new Set([...text.matchAll(/\b[A-Za-z]\w*\b/g)].map(([name]) => name));
  const tools = readdirSync(join(folder, "registry/tools")).map((file) => `registry/tools/${file}`);
  const imports = [DEFINE, ...tools].map((file) => {
    const names = exportsOf(folder, file).filter((name) => used.has(name) && !declared.has(name));
    return names.length > 0 ? `import { ${names.join(", ")} } from "../../${file}";\n` : "";
  });
  return `import * as v from "valibot";\n${imports.join("")}export type Unused = typeof v;\n`;
}

function exportsOf(folder: string, file: string): string[] {
  const text = readFileSync(join(folder, file), "utf8");
  const lists = [...text.matchAll(/export \{([^}]*)\}/g)].flatMap(([, list = ""]) => list.split(","));
  const names = [...text.matchAll(/export (?:const|function) (\w+)/g)].map(([, name = ""]) => name);
  return [...names, ...lists.map((one) => one.trim()).filter((one) => /^\w+$/.test(one))];
}
