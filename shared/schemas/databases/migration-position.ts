import * as v from "valibot";

/** Where the scan of one segment resumes: after a record; or it has not started, or it is done. */
export const SegmentCursor = v.union([
  v.picklist(["begin", "done"]),
  v.object({ pk: v.string(), sk: v.string() }),
]);
export type SegmentCursor = v.InferOutput<typeof SegmentCursor>;

const directions = ["up", "down"] as const;
export type Direction = (typeof directions)[number];

/** The position of a migration. While there is one, records have this version or the one before it. */
export const MigrationPosition = v.object({
  version: v.number(),
  direction: v.picklist(directions),
  /** Number of steps of this migration that are done. */
  step: v.number(),
  segments: v.array(SegmentCursor),
});
export type MigrationPosition = v.InferOutput<typeof MigrationPosition>;
