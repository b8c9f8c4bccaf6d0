import * as v from "valibot";
import type { AccessRow, AccessRows } from "../../routes/route.ts";
import { nearestRoute } from "../nearest-route.ts";
import { ADMIN_ONLY, isAdminScope } from "./admin-scope.ts";
import { isComponentPath } from "./scopes.ts";

const AN_OBJECT = 'must be a JSON object of "METHOD /path" to lists of scopes';

/** `METHOD /path` → the scopes that the route requires. `*` and `{name}` both stand for one segment. */
const ScopeMappings = v.pipe(
  v.unknown(),
  // Valibot accepts a list as a record.
  v.check((value) => !Array.isArray(value), AN_OBJECT),
  v.record(
    v.pipe(
      v.string(),
      v.regex(/^[A-Z]+ \/\S*$/, ({ received }) => `${received} is no key; a key is METHOD /path`),
    ),
    v.array(v.string("a scope is a text"), "the scopes of a route are a list"),
    AN_OBJECT,
  ),
);

/** The mapped scopes by the shape of their route. */
export type ScopeMappings = ReadonlyMap<string, readonly string[]>;

/** The scopes that the configuration requires for a route; undefined where it has none. */
export type MappedScopes = (route: AccessRow) => readonly string[] | undefined;

type Served = Readonly<Partial<Record<string, AccessRows>>>;

/**
 * Reads the value of `SCOPE_MAPPINGS`.
 *
 * @param served  the rows of the deployment's routes
 * @throws Error with a sentence for each thing that is wrong, so that no function starts with unusable mappings
 */
export function parseScopeMappings(text: string, served: Served): ScopeMappings {
  const read = readScopeMappings(text, served);
  if ("mappings" in read) return read.mappings;
  throw new Error(`SCOPE_MAPPINGS is not usable: ${read.problems.join("; ")}`);
}

/**
 * The mappings of a text, or what is wrong with it. A key that matches no route is a mistake that would leave a route
 * less guarded than its operator believes, so it is refused.
 *
 * @source docs/interface/access.md 5.5
 */
export function readScopeMappings(
  text: string,
  served: Served,
): { readonly mappings: ScopeMappings } | { readonly problems: readonly string[] } {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(undefined, AN_OBJECT), ScopeMappings), text);
  if (!parsed.success) return { problems: parsed.issues.map(({ message }) => message) };
  const entries = Object.entries(parsed.output).map(([key, scopes]) => ({
    key,
    shape: shapeOfKey(key),
    scopes,
  }));
  const problems = keyProblems(entries, served);
  if (problems.length > 0) return { problems };
  return { mappings: new Map(entries.map(({ shape, scopes }) => [shape, scopes])) };
}

type Key = { readonly key: string; readonly shape: string };

function keyProblems(keys: readonly Key[], served: Served): string[] {
  const rows = Object.values(served).flatMap((table) => Object.values(table ?? {}));
  const routes = new Map(rows.map((row) => [shapeOf(row), `${row.method} ${row.path}`]));
  const first = new Map<string, string>();
  return keys.flatMap(({ key, shape }) => {
    if (!routes.has(shape)) {
      const nearest = routes.get(nearestRoute(shape, [...routes.keys()]) ?? "");
      return [
        `"${key}" is no route; ${nearest === undefined ? "/openapi.json lists them" : `the nearest is "${nearest}"`}`,
      ];
    }
    const twin = first.get(shape);
    first.set(shape, key);
    return twin === undefined ? [] : [`"${twin}" and "${key}" are the same route`];
  });
}

/**
 * Looks up mapped scopes. A route of AG-UI, MCP or A2A without a mapping of its own has that of the route of runs which does the
 * same with the same component; see `counterpartsOf`. The configured admin scope is translated to the route table's name for it, so that it is met
 * by admins alone there too.
 */
export function createMappedScopes(mappings: ScopeMappings, adminScope: string): MappedScopes {
  const required = new Map(
    [...mappings].map(([shape, scopes]) => [
      shape,
      scopes.map((scope) => (isAdminScope(scope, adminScope) ? ADMIN_ONLY : scope)),
    ]),
  );
  return (route) => {
    const shape = shapeOf(route);
    const own = required.get(shape);
    if (own) return own;
    const others = counterpartsOf(shape).flatMap((other) => required.get(other) ?? []);
    if (others.length === 0) return undefined;
    // It comes in addition to what the route asks for; `decide` sees to that where the path names a component.
    const native = route.scopes === "public" || isComponentPath(route.path) ? [] : route.scopes;
    return [...new Set([...native, ...others])];
  };
}

/** `DELETE /memories/{memory_id}` and `DELETE /memories/*` are one shape, and so are other names of the variable. */
const shapeOfKey = (key: string): string => key.replace(/\{[^}]*\}/g, "*");

const shapeOf = ({ method, path }: AccessRow): string => shapeOfKey(`${method} ${path}`);

/** Kinds of components, as paths spell them. */
const kinds = ["agents", "teams", "workflows"] as const;

/** What a route of a protocol does, in the words of the routes of runs; `*` stands for one segment. */
const actions = {
  run: (kind: string) => [`POST /${kind}/*/runs`, `POST /${kind}/*/runs/*/continue`],
  read: (kind: string) => [`GET /${kind}/*/runs/*`],
  cancel: (kind: string) => [`POST /${kind}/*/runs/*/cancel`],
} as const;

const ofOne: readonly (readonly [RegExp, keyof typeof actions])[] = [
  [/^POST \/(agents|teams|workflows)\/\*\/(?:agui|chat)$/, "run"],
  [/^GET \/(agents|teams|workflows)\/\*\/chat\/\*(?:\/stream)?$/, "read"],
  [/^POST \/(agents|teams|workflows)\/\*\/chat\/\*\/stop$/, "cancel"],
  [/^POST \/.+\/(agents|teams|workflows)\/\*(?:\/v1)?(?:\/message:(?:send|stream))?$/, "run"],
  [/^POST \/.+\/(agents|teams|workflows)\/\*\/v1\/tasks(?:\/\*)?:cancel$/, "cancel"],
  [/^(?:GET|POST) \/.+\/(agents|teams|workflows)\/\*\/v1\/tasks/, "read"],
];

/** They name their component within the request, which is not read before the decision. */
const ofAny = /^POST \/(?:mcp|agui|v1\/chat\/completions|v1\/responses|.+\/message\/(?:send|stream))$/;

/**
 * The routes of runs that do what a route of AG-UI, a chat, MCP or A2A does: what is mapped for those counts for this one too. A route
 * that does not name its component has those of every kind.
 *
 * @param shape  `METHOD /path`, with `*` for one segment
 */
function counterpartsOf(shape: string): readonly string[] {
  if (ofAny.test(shape)) return kinds.flatMap(actions.run);
  for (const [pattern, action] of ofOne) {
    const [, kind] = pattern.exec(shape) ?? [];
    if (kind !== undefined) return actions[action](kind);
  }
  return [];
}
