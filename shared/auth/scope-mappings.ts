import * as v from "valibot";
import { createMatcher, type Matched } from "../routes/matcher.ts";
import type { AccessRow, Method } from "../routes/route.ts";

/** `METHOD /path` → the scopes that it requires instead of its row's. `*` and `{name}` stand for one segment. */
export const ScopeMappings = v.pipe(
  v.unknown(),
  // Valibot accepts a list as a record.
  v.check((value) => !Array.isArray(value), "must be an object"),
  v.record(
    v.pipe(v.string(), v.regex(/^(GET|POST|PATCH|DELETE) \/\S*$/, "a key is METHOD /path")),
    v.array(v.string()),
  ),
);
export type ScopeMappings = v.InferOutput<typeof ScopeMappings>;

/** The scopes that the configuration requires for a request; undefined where it has none. */
export type MappedScopes = (
  method: string,
  rawPath: string,
  found: Matched<string, AccessRow> | undefined,
) => readonly string[] | undefined;

/**
 * Reads the value of `SCOPE_MAPPINGS`.
 *
 * @throws Error naming what is wrong, so that a function with unusable mappings does not start
 */
export function parseScopeMappings(text: string): ScopeMappings {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ScopeMappings), text);
  if (parsed.success) return parsed.output;
  throw new Error(`SCOPE_MAPPINGS is not usable: ${parsed.issues.map(({ message }) => message).join("; ")}`);
}

/**
 * Compiles configured scope mappings. They add to the route table: the exact key of a row (`GET /config`) replaces its
 * scopes, another spelling of a served path does not, and a path without a row gets the first mapping that matches.
 *
 * @source interface, custom scope mappings; contract, auth section 7
 */
export function createMappedScopes(mappings: ScopeMappings): MappedScopes {
  const match = createMatcher<"mapped", AccessRow>({ mapped: rowsOf(mappings) });
  return (method, rawPath, found) => {
    if (found) return mappings[`${method} ${found.route.path}`];
    const mapped = match(method, rawPath);
    return mapped && "operation" in mapped ? mappings[mapped.operation] : undefined;
  };
}

/** Rows by their own key. Of two keys for the same requests the first counts. */
function rowsOf(mappings: ScopeMappings): Record<string, AccessRow> {
  const shapes = new Map<string, readonly [string, AccessRow]>();
  for (const [key, scopes] of Object.entries(mappings)) {
    const [method, path] = key.split(" ");
    const named = path?.replaceAll("*", "{any}").replace(/\{[^}]*\}/g, "{any}") as AccessRow["path"]; // the schema's `/`
    const shape = `${method} ${named}`;
    const row = { method: method as Method, path: named, scopes }; // the schema's four
    if (!shapes.has(shape)) shapes.set(shape, [key, row]);
  }
  return Object.fromEntries(shapes.values());
}
