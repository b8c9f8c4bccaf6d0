import * as v from "valibot";

/** Names a database that is to be migrated. Its record is the truth. */
export const MigrationMessage = v.object({ db_id: v.string() });
export type MigrationMessage = v.InferOutput<typeof MigrationMessage>;
