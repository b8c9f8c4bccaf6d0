import type { AttributeValue } from "@aws-sdk/client-dynamodb";

/** An item as DynamoDB has it; every table has the same two keys. */
export type StoredRow = Readonly<Record<string, AttributeValue>>;

export const keyOf = ({ pk, sk }: StoredRow) => ({ pk: pk as AttributeValue, sk: sk as AttributeValue });

/** A key as a text by which rows are found in a map. */
export const keyText = ({ pk, sk }: StoredRow): string => JSON.stringify([pk?.S, sk?.S]);

/** Whether two items are the same, in whatever order their attributes and the members of their sets are. */
export const isSame = (a: StoredRow, b: StoredRow): boolean => canonical(a) === canonical(b);

const sets = new Set(["SS", "NS", "BS"]);

function canonical(value: unknown): string {
  if (value instanceof Uint8Array) return JSON.stringify(Buffer.from(value).toString("base64"));
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => {
      const isSet = sets.has(name) && Array.isArray(member);
      const text = isSet ? `[${member.map(canonical).sort().join()}]` : canonical(member);
      return `${JSON.stringify(name)}:${text}`;
    });
  return `{${members.join()}}`;
}

/** Whether the table deletes the item soon; the platform ignores it already. @param now epoch seconds */
export const isExpired = ({ expires_at }: StoredRow, now: number): boolean =>
  expires_at?.N !== undefined && Number(expires_at.N) <= now;
