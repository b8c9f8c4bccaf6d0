import type { ValidationError } from "./invalid-input.ts";

/** Bytes of what was sent that one answer shows again, in all: an answer must not be larger than what it is about. */
const MAX_SHOWN_BYTES = 1_000;
/** Characters of a name in `loc`; a client chooses the names of members too. */
const MAX_NAME_CHARS = 100;
const MAX_ERRORS = 100;

/**
 * Cuts what validation errors show of their input. An input that does not fit is shown as the beginning of its text or of
 * its JSON.
 */
export function shownErrors(errors: readonly ValidationError[]): ValidationError[] {
  let left = MAX_SHOWN_BYTES;
  const shown = errors.slice(0, MAX_ERRORS).map((error) => {
    const { input, bytes } = shownInput(error.input, left);
    left -= bytes;
    return { ...error, loc: error.loc.map(shownName), ...("input" in error && { input }) };
  });
  const more = errors.length - shown.length;
  if (more > 0)
    shown.push({ type: "value_error", loc: ["body"], msg: `Value error, and ${more} more errors` });
  return shown;
}

function shownInput(given: unknown, left: number): { input: unknown; bytes: number } {
  const json = JSON.stringify(given, withoutBytes);
  if (json === undefined) return { input: given, bytes: 0 };
  const input: unknown = JSON.parse(json);
  const bytes = Buffer.byteLength(json);
  if (bytes <= left) return { input, bytes };
  const text = typeof input === "string" ? input : json;
  // A character takes up to six bytes where it is escaped.
  const cut = text.slice(0, Math.floor(left / 6)).toWellFormed();
  return { input: `${cut}…`, bytes: Buffer.byteLength(JSON.stringify(cut)) };
}

/** Of a file only its size is shown: a list of its bytes as numbers is of no use. */
const withoutBytes = (_key: string, value: unknown): unknown =>
  value instanceof Uint8Array ? `${value.byteLength} bytes` : value;

const shownName = (name: string | number): string | number =>
  typeof name === "string" && name.length > MAX_NAME_CHARS
    ? `${name.slice(0, MAX_NAME_CHARS).toWellFormed()}…`
    : name;
