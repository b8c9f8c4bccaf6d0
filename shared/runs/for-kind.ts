import type { RunnableKind } from "../engine/define/runnable.ts";
import type { HandlerRequest } from "../http/handler.ts";
import type { ParamsOf, Route } from "../routes/route.ts";
import type { ClientTool } from "../schemas/runs/client-tool.ts";
import type { StoredTask } from "../stores/runs/tasks/task-item.ts";

/**
 * The component that a request is about: the path begins with its kind; the parameter of its id is named after the
 * kind.
 */
export type Component = { readonly kind: RunnableKind; readonly id: string };

/** A request of a route that agents, teams and workflows share. */
export type RunsRequest<R extends Route> = Omit<HandlerRequest<R>, "params"> & {
  readonly component: Component;
  readonly params: Omit<ParamsOf<R>, `${RunnableKind}_id`>;
};

/** `client_tools` are set where the client of a run brings tools along that it executes itself. */
export type ClientToolsRequest = { readonly client_tools?: readonly ClientTool[] };

/** `task` is set when another agent's message requests the run: the message's id, as that agent names it, and its parts. */
export type TaskRequest = { readonly task?: Pick<StoredTask, "message_id" | "parts"> };

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
