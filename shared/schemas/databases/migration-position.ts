import * as v from "valibot";

/** Where the scan of one segment goes on: after a record, or it has not begun, or it is through. */
export const SegmentCursor = v.union([
  v.picklist(["begin", "done"]),
  v.object({ pk: v.string(), sk: v.string() }),
]);
export type SegmentCursor = v.InferOutput<typeof SegmentCursor>;

const directions = ["up", "down"] as const;
export type Direction = (typeof directions)[number];

/** Where a migration stands. While there is one, records are of this version or of the one before it. */
export const MigrationPosition = v.object({
  version: v.number(),
  direction: v.picklist(directions),
  /** Steps of this migration that are through. */
  step: v.number(),
  segments: v.array(SegmentCursor),
});
export type MigrationPosition = v.InferOutput<typeof MigrationPosition>;
