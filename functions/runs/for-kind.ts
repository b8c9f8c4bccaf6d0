import type { RunnableKind } from "../../shared/engine/define/runnable.ts";
import type { HandlerRequest } from "../../shared/http/handler.ts";
import type { ParamsOf, Route } from "../../shared/routes/route.ts";

/** What a request is about: its kind stands in the path's beginning, its id under a name of its own for each kind. */
export type Component = { readonly kind: RunnableKind; readonly id: string };

/** A request of a row that agents, teams and workflows have alike. */
export type RunsRequest<R extends Route> = Omit<HandlerRequest<R>, "params"> & {
  readonly component: Component;
  readonly params: Omit<ParamsOf<R>, `${RunnableKind}_id`>;
};

/** Given where another agent's message asks for the run: its id, as that agent names it. */
export type TaskRequest = { readonly task?: { readonly message_id: string } };

type Asked<Request> = Omit<Request, "component" | "params"> & {
  readonly params: Readonly<Record<string, string>>;
};

/** Binds what is done to runs of any kind to the runs of one. */
export const forKind =
  <Request extends { readonly component: Component }, Needs, Answer>(
    kind: RunnableKind,
    handle: (request: Request, deps: Needs) => Promise<Answer>,
  ) =>
  (request: Asked<Request>, deps: Needs): Promise<Answer> => {
    const component = { kind, id: request.params[`${kind}_id`] ?? "" };
    // The rows of the three kinds differ in the name of this one parameter.
    return handle({ ...request, component } as unknown as Request, deps);
  };
