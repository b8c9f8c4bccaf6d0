import type { Principal } from "../auth/principal.ts";
import { mayCall } from "../auth/scopes/scopes.ts";
import type { Write } from "../data/index.ts";
import type {
  FindRunnable,
  KnowsRunnable,
  Pinned,
  VersionRequest,
} from "../engine/component/find-runnable.ts";
import type { Runnable, RunnableKind } from "../engine/define/runnable.ts";
import { notFound, ServiceError } from "../errors.ts";
import type { HandlerRequest } from "../http/handler.ts";
import type { ParamsOf, Route } from "../routes/route.ts";
import type { ClientTool } from "../schemas/runs/client-tool.ts";
import type { GivenHistory } from "../schemas/runs/given-history.ts";
import { isObject } from "../schemas/values/json-values.ts";
import type { StoredRun } from "../stores/runs/run-item.ts";
import type { StoredTask } from "../stores/runs/task-item.ts";

/**
 * The component that a request is about: the path begins with its kind; the parameter of its id is named after the
 * kind.
 */
export type Component = { readonly kind: RunnableKind; readonly id: string };

const kinds = ["agent", "team", "workflow"] as const satisfies readonly RunnableKind[];

/** A component as settings name it: `agents/<id>`, `teams/<id>` or `workflows/<id>`; undefined for other text. */
export function parseComponent(text: string): Component | undefined {
  const kind = kinds.find((one) => text.startsWith(`${one}s/`));
  const id = kind && text.slice(`${kind}s/`.length);
  return kind && id ? { kind, id } : undefined;
}

/** A request of a route that agents, teams and workflows share. */
export type RunsRequest<R extends Route> = Omit<HandlerRequest<R>, "params"> & {
  readonly component: Component;
  readonly params: Omit<ParamsOf<R>, `${RunnableKind}_id`>;
};

/**
 * `client_tools` are set where the client of a run brings tools along that it executes itself, `given_history` where it brings
 * along what was said before.
 */
export type ClientToolsRequest = {
  readonly client_tools?: readonly ClientTool[];
  readonly given_history?: GivenHistory;
};

/**
 * `task` is set when another agent's message requests the run: the message's id, as that agent names it, and its parts. `late`
 * is set when the run answers a message to one that has ended: what writes that message, by the id of the new run.
 */
export type TaskRequest = {
  readonly task?: Pick<StoredTask, "message_id" | "parts">;
  readonly late?: (run_id: string) => Promise<Write>;
};

/** `isKeyUnused` is set where the caller has looked up the key of the request, and it was not used before. */
export type KeyedRequest = { readonly isKeyUnused?: boolean };

type RawRequest<Request> = Omit<Request, "component" | "params"> & {
  readonly params: Readonly<Record<string, string>>;
};

/** Binds a handler for runs of any kind to the routes of one kind. */
export const forKind =
  <Request extends { readonly component: Component }, Needs, Answer>(
    kind: RunnableKind,
    handle: (request: Request, deps: Needs) => Promise<Answer>,
  ) =>
  (request: RawRequest<Request>, deps: Needs): Promise<Answer> => {
    const component = { kind, id: request.params[`${kind}_id`] ?? "" };
    // The rows of the three kinds differ in the name of this one parameter.
    return handle({ ...request, component } as unknown as Request, deps);
  };

/**
 * The component that a request runs.
 *
 * @param version  its version, where it is stored
 * @throws ServiceError NOT_FOUND where nothing of this kind has the id, UNPROCESSABLE where it cannot be built
 */
export async function findComponent(
  { findRunnable }: { readonly findRunnable: FindRunnable },
  { kind, id }: Component,
  version: VersionRequest,
): Promise<Runnable> {
  const runnable = await findRunnable(kind, id, version);
  if (!runnable) throw notFound(kind, id);
  return runnable;
}

/**
 * The same for a request that only reads runs: the component need not be fit to run any more.
 *
 * @throws ServiceError NOT_FOUND where nothing of this kind has the id
 */
export async function requireComponent(
  { knowsRunnable }: { readonly knowsRunnable: KnowsRunnable },
  { kind, id }: Component,
): Promise<void> {
  if (!(await knowsRunnable(kind, id))) throw notFound(kind, id);
}

/**
 * Checks a scope where only the handler knows which one is needed: for a component that the body names, or a method of
 * JSON-RPC.
 *
 * @throws ServiceError UNAUTHORIZED
 * @source docs/interface/a2a.md 1.2
 */
export function requireScope(requester: Requester, action: "read" | "run"): void {
  if (holds(requester, action)) return;
  throw new ServiceError(
    "UNAUTHORIZED",
    `Insufficient permissions. Required scope(s): ${scopeOf(requester, action)}`,
  );
}

/** Refuses a caller who may call no method at all, before it learns whether the component exists. */
export function requireSomeScope(requester: Requester): void {
  if (!holds(requester, "read")) requireScope(requester, "run");
}

type Requester = { readonly principal: Principal; readonly component: Component };

const scopeOf = ({ component }: Requester, action: string): string => `${component.kind}s:${action}`;

function holds(requester: Requester, action: "read" | "run"): boolean {
  const { kind, id } = requester.component;
  const target = { method: "POST", path: `/${kind}s/{id}`, params: { id } };
  return mayCall(requester.principal, [scopeOf(requester, action)], target);
}

/**
 * Whose runs the limits of one user count: how many may wait, and how many may run in the foreground: null for an
 * admin, who answers for the whole platform, and for a credential without a subject.
 */
export const limitedUser = ({ admin, user_id }: Pick<Principal, "admin" | "user_id">): string | null =>
  admin ? null : user_id;

/** What a run began with, and is executed with until its end. @param run  with its large fields */
export const pinOf = ({
  component_version,
  kwargs: { draft_config },
}: Pick<StoredRun, "component_version" | "kwargs">): Pinned => ({
  pinned: component_version,
  ...(isObject(draft_config) && { config: draft_config }),
});
