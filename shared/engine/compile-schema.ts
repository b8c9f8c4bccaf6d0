import { withinTime } from "./within-time.ts";

const MAX_SCHEMA_BYTES = 64 * 1024;
const MAX_SCHEMA_DEPTH = 32;
/**
 * Compiling and checking take milliseconds, on a small and busy machine a hundred times that; a pattern made to run
 * away takes for ever.
 */
const TIME_MS = 2_000;

/**
 * @returns why the value does not match, in words for whoever wrote it; undefined when it does
 * @throws when the check did not come to an end
 */
export type SchemaCheck = (value: unknown) => string | undefined;

export type Compiled =
  | { readonly usable: true; readonly check: SchemaCheck }
  | { readonly usable: false; readonly reason: string };

/**
 * Makes a check of a JSON Schema (draft 2020-12, and what draft 7 has in common with it) that a stranger may have
 * written: bounded in size and depth, without anything to fetch, and never longer at work than a moment.
 */
export async function compileSchema(schema: object): Promise<Compiled> {
  const reason = tooMuch(schema);
  if (reason) return { usable: false, reason };
  // Of a CommonJS package the bundler keeps nothing but the default when it makes a chunk of it.
  const [{ default: ajv2020 }, { default: addFormats }] = await Promise.all([
    import("ajv/dist/2020.js"),
    import("ajv-formats"),
  ]);
  // An instance of its own: nothing of one caller's schema is known to the next one's.
  const ajv = new ajv2020.Ajv2020({
    strict: false,
    logger: false,
    ownProperties: true,
    addUsedSchema: false,
    // Inlined, a part that names another one twice, which does so again, grows without bounds.
    inlineRefs: false,
  });
  addFormats.default(ajv);
  try {
    // The first compilation of a process loads what all need; that is not the schema's doing.
    ajv.compile({});
    const validate = withinTime(() => ajv.compile(schema), TIME_MS);
    const matches = (value: unknown) => withinTime(() => validate(value), TIME_MS);
    return {
      usable: true,
      check: (value) => (matches(value) ? undefined : ajv.errorsText(validate.errors)),
    };
  } catch (error) {
    return {
      usable: false,
      reason: `It is not a JSON Schema: ${error instanceof Error ? error.message : error}`,
    };
  }
}

function tooMuch(schema: object): string | undefined {
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_SCHEMA_BYTES) {
    return `It is longer than ${MAX_SCHEMA_BYTES} bytes.`;
  }
  return forbidden(schema, 0);
}

function forbidden(part: unknown, depth: number): string | undefined {
  if (part === null || typeof part !== "object") return undefined;
  if (depth > MAX_SCHEMA_DEPTH) return `It is nested deeper than ${MAX_SCHEMA_DEPTH} levels.`;
  for (const [name, value] of Object.entries(part)) {
    if (name === "$async") return "It may not say $async.";
    if (/^\$(dynamic|recursive)?ref$/i.test(name) && typeof value === "string" && !value.startsWith("#")) {
      return "It may refer to nothing outside itself.";
    }
    const inner = forbidden(value, depth + 1);
    if (inner) return inner;
  }
  return undefined;
}
