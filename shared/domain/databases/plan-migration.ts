import type { Direction, MigrationPosition } from "../../schemas/databases/migration-position.ts";

/** The version of a database that was never migrated: the shape that releases wrote before there were migrations. */
export const FIRST_VERSION = 1;

/** Parts of each table's scan; they are read in parallel. */
const SEGMENTS = 4;

/** How far a database has been migrated. */
export type Progress = {
  readonly version: number;
  readonly position?: MigrationPosition | undefined;
};

export type MigrationPlan =
  | { readonly done: true; readonly version: number }
  | { readonly done: false; readonly version: number; readonly position: MigrationPosition };

/**
 * What is to be done next to bring a database to a version. The target may have changed since the last round: then the
 * migration under way is reversed, and all its steps are undone, also those that it had not reached.
 *
 *   version   1 ──────────▶ 2 ──────────▶ 3        up: one migration after the other, their steps in order
 *             1 ◀────────── 2 ◀────────── 3        down: the same backwards, their steps in the opposite order
 *
 * @param target   a version that the database can have
 * @param stepsOf  how many steps the migration to a version has
 * @returns        the position to work on; no record is older than the version
 */
export function planMigration(
  { version, position }: Progress,
  target: number,
  stepsOf: (version: number) => number,
): MigrationPlan {
  if (!position) return planWithin(version, target);
  const direction: Direction = target >= position.version ? "up" : "down";
  if (direction !== position.direction) return startAt(position.version, direction);
  if (!isDone(position)) return { done: false, version: position.version - 1, position };
  const step = position.step + 1;
  if (step < stepsOf(position.version)) return startAt(position.version, direction, step);
  return planWithin(direction === "up" ? position.version : position.version - 1, target);
}

function planWithin(version: number, target: number): MigrationPlan {
  if (version === target) return { done: true, version };
  return target > version ? startAt(version + 1, "up") : startAt(version, "down");
}

const startAt = (version: number, direction: Direction, step = 0): MigrationPlan => ({
  done: false,
  version: version - 1,
  position: { version, direction, step, segments: Array.from({ length: SEGMENTS }, () => "begin") },
});

const isDone = ({ segments }: MigrationPosition): boolean => segments.every((cursor) => cursor === "done");
