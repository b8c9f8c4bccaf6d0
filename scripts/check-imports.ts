import { join } from "node:path";
import { engineFloors } from "./imports/engine-floors.ts";
import { findCircles } from "./imports/find-circles.ts";
import { type Room, rooms } from "./imports/rooms.ts";
import { isRelative, pathOf, type SourceFile, sourceFiles, specifiersOf } from "./imports/source-imports.ts";

/** Every import of the project that its room does not allow, and every circle of imports, one sentence each. */
export function checkImports(root: string): string[] {
  const files = sourceFiles(root);
  return [...files.flatMap(forbidden), ...findCircles(files).map(circleFault)];
}

/** @param path  of the file, from the top of the project */
export const forbiddenImports = (path: string, source: string): string[] =>
  forbidden({ path, specifiers: specifiersOf(source) });

function forbidden({ path, specifiers }: SourceFile): string[] {
  const room = roomOf(path);
  if (!room) return [`${path} is in no room: add its folder to the table in scripts/imports/rooms.ts`];
  const engineRoom = engineRoomOf(path);
  if (engineRoom !== undefined && !floors.includes(engineRoom)) {
    return [`${path} is on no floor: add its folder to the list in scripts/imports/engine-floors.ts`];
  }
  return specifiers
    .filter((specifier) => !isAllowed(path, room, specifier))
    .map((specifier) => `${path} may not import ${specifier}`);
}

const circleFault = (paths: readonly string[]): string =>
  `${paths.join(", ")} import each other: move what they share to a file that imports neither`;

type Placed = Room & { readonly own: string };

function roomOf(path: string): Placed | undefined {
  const prefix = Object.keys(rooms).find((name) => isWithin(path, name));
  const room = prefix === undefined ? undefined : rooms[prefix];
  if (prefix === undefined || !room) return undefined;
  // Functions are deployed one by one, so each is a room of its own.
  const own = prefix === "functions/" ? `${path.split("/").slice(0, 2).join("/")}/` : prefix;
  return { ...room, own };
}

function isAllowed(path: string, { own, from, packages }: Placed, specifier: string): boolean {
  if (!isRelative(specifier)) {
    return packages.some((name) => (isPrefix(name) ? specifier.startsWith(name) : specifier === name));
  }
  const target = pathOf(path, specifier);
  return [own, ...from].some((allowed) => isWithin(target, allowed)) && pointsDown(path, target);
}

/** Within the engine an import points to the own floor or one below. */
function pointsDown(path: string, target: string): boolean {
  const from = engineRoomOf(path);
  const to = engineRoomOf(target);
  return from === undefined || to === undefined || floors.indexOf(to) <= floors.indexOf(from);
}

const floors: readonly string[] = engineFloors;

const engineRoomOf = (path: string): string | undefined => /^shared\/engine\/([^/]+)\//.exec(path)?.[1];

const isPrefix = (name: string): boolean => name === "" || /[/:]$/.test(name);

const isWithin = (path: string, place: string): boolean =>
  place === "" || place.endsWith("/") ? path.startsWith(place) : path === place;

if (import.meta.main) {
  const faults = checkImports(join(import.meta.dirname, ".."));
  for (const line of faults) console.error(line);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
