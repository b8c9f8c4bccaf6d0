import { join } from "node:path";
import { allowedImports, type ImportRule } from "./imports/allowed-imports.ts";
import { engineOrder } from "./imports/engine-order.ts";
import { faces, insideOf } from "./imports/faces.ts";
import { findCircles } from "./imports/find-circles.ts";
import { isRelative, pathOf, type SourceFile, sourceFiles, specifiersOf } from "./imports/source-imports.ts";

/** Every import that its folder does not allow, and every circle of imports outside of the tests, one sentence each. */
export function checkImports(root: string): string[] {
  const files = sourceFiles(root);
  const product = files.filter(({ path }) => !path.startsWith("test/"));
  return [...files.flatMap(forbidden), ...findCircles(product).map(circleFault)];
}

/** @param path  of the file, from the top of the project */
export const forbiddenImports = (path: string, source: string): string[] =>
  forbidden({ path, specifiers: specifiersOf(source) });

function forbidden({ path, specifiers }: SourceFile): string[] {
  const rule = ruleOf(path);
  if (!rule) return [`${path} has no row: add its folder to the table in scripts/imports/allowed-imports.ts`];
  const engineFolder = engineFolderOf(path);
  if (engineFolder !== undefined && !order.includes(engineFolder)) {
    return [`${path} has no place: add its folder to the list in scripts/imports/engine-order.ts`];
  }
  return specifiers
    .filter((specifier) => !isAllowed(path, rule, specifier))
    .map((specifier) => `${path} may not import ${specifier}`);
}

const circleFault = (paths: readonly string[]): string =>
  `${paths.join(", ")} import each other: move what they share to a file that imports neither`;

type Placed = ImportRule & { readonly own: string };

function ruleOf(path: string): Placed | undefined {
  const prefix = Object.keys(allowedImports).find((name) => isWithin(path, name));
  const rule = prefix === undefined ? undefined : allowedImports[prefix];
  if (prefix === undefined || !rule) return undefined;
  // Functions are deployed one by one, so each is a folder of its own.
  const own = prefix.startsWith("functions/") ? `${path.split("/").slice(0, 2).join("/")}/` : prefix;
  return { ...rule, own };
}

function isAllowed(path: string, { own, from, butNot = [], packages }: Placed, specifier: string): boolean {
  if (!isRelative(specifier)) {
    return packages.some((name) => (isPrefix(name) ? specifier.startsWith(name) : specifier === name));
  }
  const target = pathOf(path, specifier);
  if (butNot.some((refused) => isWithin(target, refused))) return false;
  if (!from.includes("") && isBehindFace(path, target)) return false;
  return [own, ...from].some((allowed) => isWithin(target, allowed)) && followsOrder(path, target);
}

/** Whether the target is internal to a room that the importing file is not in. */
const isBehindFace = (path: string, target: string): boolean =>
  Object.entries(faces).some(
    ([room, shown]) => isWithin(target, room) && !isWithin(path, insideOf(room)) && !shown.includes(target),
  );

/** Within the engine an import names the own folder, or one that stands before it in the order. */
function followsOrder(path: string, target: string): boolean {
  const from = engineFolderOf(path);
  const to = engineFolderOf(target);
  return from === undefined || to === undefined || order.indexOf(to) <= order.indexOf(from);
}

const order: readonly string[] = engineOrder;

const engineFolderOf = (path: string): string | undefined => /^shared\/engine\/([^/]+)\//.exec(path)?.[1];

const isPrefix = (name: string): boolean => name === "" || /[/:]$/.test(name);

const isWithin = (path: string, place: string): boolean =>
  place === "" || place.endsWith("/") ? path.startsWith(place) : path === place;

if (import.meta.main) {
  const faults = checkImports(join(import.meta.dirname, ".."));
  for (const line of faults) console.error(line);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
