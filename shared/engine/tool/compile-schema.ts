import type { Ajv2020, Options } from "ajv/dist/2020.js";
import { withinTime } from "../../runtime/within-time.ts";

const MAX_SCHEMA_BYTES = 64 * 1024;
const MAX_SCHEMA_DEPTH = 32;
/**
 * Compiling and checking take milliseconds, on a small and busy machine a hundred times that; a pattern that
 * backtracks without end never finishes.
 */
const TIME_MS = 2_000;

/**
 * @returns why the value does not match, with a text for its author; undefined when it matches
 * @throws when the check exceeds its time limit
 */
export type SchemaCheck = (value: unknown) => string | undefined;

export type Compiled =
  | { readonly usable: true; readonly check: SchemaCheck }
  | { readonly usable: false; readonly reason: string };

/**
 * Compiles a JSON Schema (draft 2020-12, and what draft 7 has in common with it) from an untrusted author: bounded in
 * size, depth and time, and without remote references.
 */
export async function compileSchema(schema: object): Promise<Compiled> {
  const reason = exceededLimit(schema);
  if (reason) return { usable: false, reason };
  library ??= await loadLibrary();
  const { newAjv, meta } = library;
  try {
    if (!withinTime(() => meta.validateSchema(schema), TIME_MS)) throw new Error(meta.errorsText());
    // A separate instance, so that the schemas of two callers cannot see each other.
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

/** Loaded once per process: the library, and an instance that only knows the meta-schema. */
type SchemaLibrary = { readonly newAjv: (options?: Options) => Ajv2020; readonly meta: Ajv2020 };
let library: SchemaLibrary | undefined;

async function loadLibrary(): Promise<SchemaLibrary> {
  // When the bundler makes a chunk of a CommonJS package, it keeps only the default export.
  const [{ default: ajv }, { default: addFormats }] = await Promise.all([
    import("ajv/dist/2020.js"),
    import("ajv-formats"),
  ]);
  const newAjv = (options: Options = {}) => {
    const instance = new ajv.Ajv2020({ ...common, ...options });
    addFormats.default(instance);
    return instance;
  };
  const meta = newAjv();
  // Its first use compiles the meta-schema, which must not count against a caller's time limit.
  meta.validateSchema({});
  return { newAjv, meta };
}

const common: Options = {
  strict: false,
  logger: false,
  ownProperties: true,
  addUsedSchema: false,
  // Inlining would grow without bounds: a part may refer twice to another one, which does the same.
  inlineRefs: false,
};

function exceededLimit(schema: object): string | undefined {
  if (Buffer.byteLength(JSON.stringify(schema)) > MAX_SCHEMA_BYTES) {
    return `It is longer than ${MAX_SCHEMA_BYTES} bytes.`;
  }
  return forbiddenPart(schema, 0);
}

function forbiddenPart(part: unknown, depth: number): string | undefined {
  if (part === null || typeof part !== "object") return undefined;
  if (depth > MAX_SCHEMA_DEPTH) return `It is nested deeper than ${MAX_SCHEMA_DEPTH} levels.`;
  for (const [name, value] of Object.entries(part)) {
    if (name === "$async") return "It may not say $async.";
    if (/^\$(dynamic|recursive)?ref$/i.test(name) && typeof value === "string" && !value.startsWith("#")) {
      return "It may refer to nothing outside itself.";
    }
    const inner = forbiddenPart(value, depth + 1);
    if (inner) return inner;
  }
  return undefined;
}
