import type { Ajv2020, Options } from "ajv/dist/2020.js";
import { withinTime } from "../abort/within-time.ts";

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
  judge ??= await loadJudge();
  const { newAjv, meta } = judge;
  try {
    if (!withinTime(() => meta.validateSchema(schema), TIME_MS)) throw new Error(meta.errorsText());
    // An instance of its own: nothing of one caller's schema is known to the next one's.
    const ajv = newAjv({ meta: false, validateSchema: false });
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

/** What a process loads once: the library, and an instance that knows what a schema is and no schema. */
type Judge = { readonly newAjv: (options?: Options) => Ajv2020; readonly meta: Ajv2020 };
let judge: Judge | undefined;

async function loadJudge(): Promise<Judge> {
  // Of a CommonJS package the bundler keeps nothing but the default when it makes a chunk of it.
  const [{ default: ajv }, { default: addFormats }] = await Promise.all([
    import("ajv/dist/2020.js"),
    import("ajv-formats"),
  ]);
  const newAjv = (options: Options = {}) => {
    const made = new ajv.Ajv2020({ ...common, ...options });
    addFormats.default(made);
    return made;
  };
  const meta = newAjv();
  // Its first use compiles the schema of schemas, which no caller's time limit should pay for.
  meta.validateSchema({});
  return { newAjv, meta };
}

const common: Options = {
  strict: false,
  logger: false,
  ownProperties: true,
  addUsedSchema: false,
  // Inlined, a part that names another one twice, which does so again, grows without bounds.
  inlineRefs: false,
};

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
