import { importsByPath, type SourceFile } from "./source-imports.ts";

/**
 * The circles of a project: sets of files each of which reaches all others by imports, those of types included. Tarjan's
 * algorithm for strongly connected components.
 *
 * @returns  each circle's paths, sorted
 */
export function findCircles(files: readonly SourceFile[]): string[][] {
  const imports = importsByPath(files);
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];

  function visit(path: string): number {
    const index = indexes.size;
    indexes.set(path, index);
    lowest.set(path, index);
    stack.push(path);
    for (const target of imports.get(path) ?? []) {
      const reached = indexes.has(target)
        ? stack.includes(target)
          ? indexes.get(target)
          : undefined
        : visit(target);
      if (reached !== undefined) lowest.set(path, Math.min(lowest.get(path) ?? index, reached));
    }
    const low = lowest.get(path) ?? index;
    if (low === index) {
      const component = stack.splice(stack.indexOf(path));
      if (component.length > 1) circles.push(component.sort());
    }
    return low;
  }

  for (const path of imports.keys()) if (!indexes.has(path)) visit(path);
  return circles;
}
