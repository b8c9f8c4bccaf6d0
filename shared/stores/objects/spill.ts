import type { Db } from "../db.ts";
import { packJson } from "./packed.ts";
import { putObject } from "./put-object.ts";
import type { Large, Spilled } from "./spilled.ts";

/** JSON of a record's fields up to this many bytes stays in its item as it is. DynamoDB allows 400 KB an item. */
const MAX_PLAIN_BYTES = 100_000;
/** One packed field up to this size stays in the item: a record has few large ones. */
const MAX_PACKED_FIELD_BYTES = 16_000;
/** The same for bytes that are the only large attribute of their item. */
const MAX_PACKED_BYTES = 64_000;

/** Leaves bytes in their item, or writes them as an object if they are too many. */
export async function spillBytes(
  db: Db,
  prefix: string,
  bytes: Uint8Array,
  most = MAX_PACKED_BYTES,
): Promise<Spilled> {
  return bytes.length <= most ? new Uint8Array(bytes) : putObject(db, prefix, bytes);
}

export type Fitted<R> = {
  /** The fields that stay as they are. */
  readonly plain: Partial<R>;
  /** The others. Undefined when the record fits as it is. */
  readonly large: Large | undefined;
};

/**
 * Makes a record fit into an item: its largest fields are packed, and become objects where that is not enough.
 *
 *   record ≤ 100 KB ─▶ as it is
 *   else the largest fields, until the rest is ─▶ packed ≤ 16 KB ─▶ in the item
 *                                                 else           ─▶ object, written now; its pointer in the item
 */
export async function spillFields<R extends object>(
  db: Db,
  prefix: string,
  record: R,
  most = MAX_PLAIN_BYTES,
): Promise<Fitted<R>> {
  const sizes = Object.entries(record).map(([name, value]) => ({ name, value, bytes: sizeOf(value) }));
  let total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total <= most) return { plain: record, large: undefined };
  const spilled = new Map<string, Promise<Spilled>>();
  for (const { name, value, bytes } of sizes.sort((a, b) => b.bytes - a.bytes)) {
    if (total <= most) break;
    spilled.set(name, spillField(db, prefix, value));
    total -= bytes;
  }
  const large = await Promise.all([...spilled].map(async ([name, field]) => [name, await field] as const));
  const plain = Object.entries(record).filter(([name]) => !spilled.has(name));
  // Fields of the record itself; `Object.fromEntries` loses their types.
  return { plain: Object.fromEntries(plain) as Partial<R>, large: Object.fromEntries(large) };
}

const spillField = async (db: Db, prefix: string, value: unknown): Promise<Spilled> =>
  spillBytes(db, prefix, await packJson(value), MAX_PACKED_FIELD_BYTES);

const sizeOf = (value: unknown): number =>
  value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
