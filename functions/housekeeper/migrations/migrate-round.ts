import type { MigrationStep, Rewrite } from "../../../shared/migrations/migration.ts";
import type {
  MigrationPosition,
  SegmentCursor,
} from "../../../shared/schemas/databases/migration-position.ts";
import { rewriteRecord, scanSegment } from "../../../shared/stores/databases/index.ts";
import type { Db } from "../../../shared/stores/db.ts";

/** Records of one page, at most: what is done twice when a process dies. */
const PAGE_RECORDS = 100;

export type Round = {
  readonly position: MigrationPosition;
  readonly read: number;
  readonly changed: number;
  /** Read and write units that it took. */
  readonly units: number;
};

/** One page of each segment that is not through, side by side. May be done again from the same position. */
export async function migrateRound(db: Db, step: MigrationStep, position: MigrationPosition): Promise<Round> {
  const pages = await Promise.all(
    position.segments.map((cursor, number) =>
      migratePage(db, step, { cursor, number, of: position.segments.length }, step[position.direction]),
    ),
  );
  const sum = (of: "read" | "changed" | "units") => pages.reduce((total, page) => total + page[of], 0);
  return {
    position: { ...position, segments: pages.map(({ cursor }) => cursor) },
    read: sum("read"),
    changed: sum("changed"),
    units: sum("units"),
  };
}

type Page = { readonly cursor: SegmentCursor; readonly number: number; readonly of: number };

async function migratePage(db: Db, { table }: MigrationStep, { cursor, number, of }: Page, rewrite: Rewrite) {
  if (cursor === "done") return { cursor, read: 0, changed: 0, units: 0 };
  const page = await scanSegment(db, { table, number, of, cursor }, PAGE_RECORDS);
  let { units } = page;
  let changed = 0;
  for (const record of page.records) {
    const rewritten = await rewriteRecord(db, table, record, rewrite);
    units += rewritten.units;
    if (rewritten.changed) changed += 1;
  }
  return { cursor: page.cursor, read: page.records.length, changed, units };
}
