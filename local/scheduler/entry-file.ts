import { DatabaseSync } from "node:sqlite";
import type { Entry } from "./entry.ts";

export type EntryFile = {
  readonly read: () => Entry[];
  readonly put: (entry: Entry) => void;
  readonly remove: (entry: Pick<Entry, "GroupName" | "Name">) => void;
  /** The time up to which slots were delivered; epoch milliseconds. */
  readonly readDelivered: () => number | undefined;
  readonly putDelivered: (ms: number) => void;
  /** When a group was made, which is now if unknown; epoch milliseconds. */
  readonly groupMadeMs: (name: string, nowMs: number) => number;
  readonly close: () => void;
};

/** Stores the scheduler's entries in one file, or in memory without a path. The file survives `kill -9`. */
export function openEntryFile(path = ":memory:"): EntryFile {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS entries (grp TEXT, name TEXT, entry TEXT, PRIMARY KEY (grp, name));
    CREATE TABLE IF NOT EXISTS groups (name TEXT PRIMARY KEY, ms INTEGER);
    CREATE TABLE IF NOT EXISTS delivered (one INTEGER PRIMARY KEY CHECK (one = 1), ms INTEGER)`);
  const all = db.prepare("SELECT entry FROM entries");
  const put = db.prepare("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)");
  const remove = db.prepare("DELETE FROM entries WHERE grp = ? AND name = ?");
  const delivered = db.prepare("SELECT ms FROM delivered");
  const deliver = db.prepare("INSERT OR REPLACE INTO delivered VALUES (1, ?)");
  const makeGroup = db.prepare("INSERT OR IGNORE INTO groups VALUES (?, ?)");
  const group = db.prepare("SELECT ms FROM groups WHERE name = ?");
  return {
    read: () => all.all().map(({ entry }) => JSON.parse(String(entry))),
    put: (entry) => void put.run(entry.GroupName, entry.Name, JSON.stringify(entry)),
    remove: ({ GroupName, Name }) => void remove.run(GroupName, Name),
    readDelivered: () => {
      const row = delivered.get();
      return row && Number(row.ms);
    },
    putDelivered: (ms) => void deliver.run(ms),
    groupMadeMs: (name, nowMs) => {
      makeGroup.run(name, nowMs);
      return Number(group.get(name)?.ms);
    },
    close: () => db.close(),
  };
}
