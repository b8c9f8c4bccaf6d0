/** Version of the stored shape; raised with every change of it. */
export const DATABASE_SHAPE = 1;

export const databaseKey = (dbId: string) => ({ pk: `database#${dbId}`, sk: "database" });

/**
 * The attributes, without its key, of a database without records: nothing in it is of an older version than the newest.
 *
 * @param now  epoch seconds
 */
export const newDatabase = (dbId: string, version: number, now: number) => ({
  db_id: dbId,
  shape: DATABASE_SHAPE,
  status: "settled" as const,
  version,
  target_version: version,
  records_read: 0,
  records_changed: 0,
  started_at: now,
  updated_at: now,
});
