import type { StoredRow } from "../stored-row.ts";

/**
 * An item as a line of DynamoDB's own exports has it, `{"Item":{"pk":{"S":"…"}}}`: its imports read such files. Bytes are
 * base64.
 */
export const jsonLine = (row: StoredRow): string => `${JSON.stringify({ Item: row }, written)}\n`;

function written(this: unknown, name: string, value: unknown): unknown {
  // Of a Buffer the value here is what its `toJSON` made of it.
  const raw = (this as Record<string, unknown>)[name];
  return raw instanceof Uint8Array ? Buffer.from(raw).toString("base64") : value;
}
