import { join, relative, sep } from "node:path";
import {
  isArrowFunction,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isMethodDeclaration,
  isPropertyAssignment,
  isVariableDeclaration,
  type Node,
  type SourceFile,
} from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";
import { longFunctions } from "./long-functions.ts";

/** Lines of one function: more does not fit on a screen. */
const MOST_LINES = 80;
/** A screen of the console is one tree of elements. */
const MOST_LINES_OF_A_SCREEN = 120;

/** @param path  from the top of the project */
const mostLinesIn = (path: string): number =>
  path.startsWith("console/screens/") ? MOST_LINES_OF_A_SCREEN : MOST_LINES;

export type FunctionLength = { readonly path: string; readonly name: string; readonly lines: number };

/** Every function that is too long, and every entry of the list of exceptions that is not needed as it stands. */
export const checkFunctionLengths = (root: string): string[] =>
  judgeLengths(tooLong(functionLengths(root)), longFunctions);

const tooLong = (all: readonly FunctionLength[]): FunctionLength[] =>
  all.filter(({ path, lines }) => lines > mostLinesIn(path));

/**
 * @param long   the functions that are too long
 * @param known  those that may be, by path and name, with their lines
 */
export function judgeLengths(
  long: readonly FunctionLength[],
  known: Readonly<Record<string, number>>,
): string[] {
  const found = new Map(
    long.toSorted((a, b) => a.lines - b.lines).map((one) => [`${one.path} ${one.name}`, one]),
  );
  const faults = [...found].flatMap(([key, { path, lines }]) => {
    const allowed = known[key];
    if (allowed === undefined)
      return [`${key}: ${lines} lines, at most ${mostLinesIn(path)}; split it by what it does`];
    if (lines > allowed) return [`${key}: ${lines} lines, ${allowed} before; it may only shrink`];
    if (lines < allowed) return [`${key}: ${lines} lines; write that into scripts/habits/long-functions.ts`];
    return [];
  });
  const unneeded = Object.keys(known).filter((key) => !found.has(key));
  return [...faults, ...unneeded.map((key) => `${key}: remove it from scripts/habits/long-functions.ts`)];
}

/** The length of every function of the sources. */
export function functionLengths(root: string): FunctionLength[] {
  const api = new API({ cwd: root });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(root, "scripts/habits/tsconfig.json")] });
    return snapshot.getProjects().flatMap(({ program, rootFiles }) =>
      rootFiles.flatMap((file) => {
        const source = program.getSourceFile(file);
        return source ? lengthsIn(source, relative(root, file).split(sep).join("/")) : [];
      }),
    );
  } finally {
    api.close();
  }
}

function lengthsIn(source: SourceFile, path: string): FunctionLength[] {
  const found: FunctionLength[] = [];
  const visit = (node: Node): void => {
    if (isFunction(node)) found.push({ path, name: nameOf(node), lines: linesOf(node, source) });
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

const isFunction = (node: Node): boolean =>
  isFunctionDeclaration(node) ||
  isArrowFunction(node) ||
  isFunctionExpression(node) ||
  isMethodDeclaration(node);

const linesOf = (node: Node, source: SourceFile): number =>
  source.text.slice(node.getStart(source), node.end).split("\n").length;

/** Its own name, or that of what it is assigned to. */
function nameOf(node: Node): string {
  for (const one of [node, node.parent]) {
    const isNamed =
      isFunctionDeclaration(one) ||
      isFunctionExpression(one) ||
      isMethodDeclaration(one) ||
      isVariableDeclaration(one) ||
      isPropertyAssignment(one);
    if (isNamed && one.name && isIdentifier(one.name)) return one.name.text;
  }
  return "(without a name)";
}

if (import.meta.main) {
  const faults = checkFunctionLengths(join(import.meta.dirname, "../.."));
  for (const line of faults) console.error(line);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
