import { describe, expect, test } from "vitest";
import { type MigrationPlan, planMigration } from "../../shared/domain/databases/plan-migration.ts";
import type { MigrationPosition } from "../../shared/schemas/databases/migration-position.ts";

const stepsOf = (version: number): number => (version === 2 ? 2 : 1);
const done = (position: MigrationPosition): MigrationPosition => ({
  ...position,
  segments: position.segments.map(() => "done"),
});

/** Every piece of work from one version to another, as `2 up 0`. */
function way(version: number, target: number): string[] {
  const pieces: string[] = [];
  let plan: MigrationPlan = planMigration({ version }, target, stepsOf);
  while (!plan.done) {
    const { position } = plan;
    pieces.push(`${position.version} ${position.direction} ${position.step}`);
    plan = planMigration({ version: plan.version, position: done(position) }, target, stepsOf);
  }
  expect(plan.version).toBe(target);
  return pieces;
}

describe("the way from one version to another", () => {
  test("goes up through every migration, its steps in order", () => {
    expect(way(1, 4)).toEqual(["2 up 0", "2 up 1", "3 up 0", "4 up 0"]);
  });

  test("goes down through the same migrations backwards", () => {
    expect(way(4, 1)).toEqual(["4 down 0", "3 down 0", "2 down 0", "2 down 1"]);
  });

  test("is no way at all from a version to itself", () => {
    expect(way(3, 3)).toEqual([]);
  });
});

describe("a migration under way", () => {
  const halfUp: MigrationPosition = {
    version: 2,
    direction: "up",
    step: 1,
    segments: ["done", { pk: "a", sk: "b" }],
  };

  test("goes on where it is", () => {
    expect(planMigration({ version: 1, position: halfUp }, 3, stepsOf)).toEqual({
      done: false,
      version: 1,
      position: halfUp,
    });
  });

  test("is taken back from its first to its last step when the target is below it", () => {
    const plan = planMigration({ version: 1, position: halfUp }, 1, stepsOf);
    expect(plan).toMatchObject({
      done: false,
      version: 1,
      position: { version: 2, direction: "down", step: 0 },
    });
  });

  test("that goes down is turned round by a target above it", () => {
    const halfDown: MigrationPosition = { ...halfUp, direction: "down", step: 0 };
    const plan = planMigration({ version: 1, position: halfDown }, 2, stepsOf);
    expect(plan).toMatchObject({ position: { version: 2, direction: "up", step: 0 } });
  });
});
