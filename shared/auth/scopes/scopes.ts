import { variableName } from "../../routes/matching/matcher.ts";
import type { Method } from "../../routes/route.ts";
import type { Principal } from "../principal.ts";
import { ADMIN_ONLY, namedAdminScope } from "./admin-scope.ts";
import { parseScope, type Scope } from "./parse-scope.ts";

/** What scopes can name one of, such as `agents:refund-desk:run`. */
const componentKinds = ["agents", "teams", "workflows", "skills"] as const;
export type ComponentKind = (typeof componentKinds)[number];
export type RunnableKind = Exclude<ComponentKind, "skills">;
const isKind = (text: string): text is ComponentKind => componentKinds.some((kind) => kind === text);

/** The agent, team, workflow or skill that a path is about. */
export type Instance = { readonly kind: ComponentKind; readonly id: string };

/** What a request is about, as far as scopes are concerned. */
export type Target = {
  readonly method: string;
  /** Path of the route row, with its `{variables}`. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
};

/**
 * Whether a principal's scopes allow a request to a route.
 *
 * @param required  the route's scopes, all of which are needed; `ADMIN_ONLY` stands for the configured admin scope
 * @source docs/interface/access.md 5.2, 5.3, 5.5
 */
export function mayCall(
  principal: Pick<Principal, "scopes" | "admin">,
  required: readonly string[],
  target: Target,
): boolean {
  if (principal.admin) return true;
  const held = principal.scopes.map(parseScope).filter((scope) => scope !== undefined);
  const instance = instanceOf(target);
  const listed = listedKind(target);
  return required.every((text) => {
    // Only the exact admin scope makes an admin, and admins were allowed above.
    if (text === ADMIN_ONLY) return false;
    const wanted = parseScope(text);
    if (!wanted) return false;
    return (
      held.some((one) => allows(one, wanted, instance)) ||
      (wanted.resource === listed && wanted.action === "read" && idsWith(held, listed, "read").size > 0)
    );
  });
}

/**
 * The ids that a caller may see of one kind, or of which it may do something else. Ids that do not exist may be among them.
 *
 * @source docs/interface/access.md 5.3
 */
export function readableIds(
  principal: Pick<Principal, "scopes" | "admin">,
  kind: ComponentKind,
  action: "read" | "run" = "read",
): "all" | ReadonlySet<string> {
  if (principal.admin) return "all";
  const held = principal.scopes.map(parseScope).filter((scope) => scope !== undefined);
  const whole: Scope = { resource: kind, id: null, action };
  return held.some((scope) => allows(scope, whole, undefined)) ? "all" : idsWith(held, kind, action);
}

/** Names for the refusal: the route's own list, with the admin scope's deployed name. */
export function scopeNames(required: readonly string[], adminScope: string): string[] {
  return required.map((scope) => (scope === ADMIN_ONLY ? namedAdminScope(adminScope) : scope));
}

function allows(held: Scope, wanted: Scope, instance: Instance | undefined): boolean {
  if (held.resource !== wanted.resource || held.action !== wanted.action) return false;
  return held.id === null || (instance?.kind === wanted.resource && instance.id === held.id);
}

function idsWith(held: readonly Scope[], kind: ComponentKind, action: string): ReadonlySet<string> {
  const ids = held
    .filter((scope) => scope.resource === kind && scope.action === action)
    .map((scope) => scope.id)
    .filter((id) => id !== null);
  return new Set(ids);
}

/** Whether a path of the route table is about agents, teams, workflows or skills: their list, or one of them. */
export function isComponentPath(path: string): boolean {
  const segments = path.split("/");
  const names = (kind: string, at: number) =>
    isKind(kind) && variableName(segments[at + 1] ?? "") !== undefined;
  return isKind(segments[1] ?? "") || segments.some(names);
}

/** `/agents/{agent_id}…`, also below a prefix; read from the row, never guessed from the request. */
function instanceOf({ path, params }: Target): Instance | undefined {
  const segments = path.split("/");
  for (const [at, kind] of segments.entries()) {
    const name = variableName(segments[at + 1] ?? "");
    const id = name === undefined ? undefined : params[name];
    if (isKind(kind) && id !== undefined) return { kind, id };
  }
  return undefined;
}

function listedKind({ method, path }: Target): ComponentKind | undefined {
  const kind = path.slice(1);
  return method === ("GET" satisfies Method) && isKind(kind) ? kind : undefined;
}
