import type { Principal } from "../../../shared/auth/principal.ts";
import type { RunnableKind } from "../../../shared/engine/define/runnable.ts";
import { RefusedParameter } from "../../../shared/http/openai-refusal.ts";
import { type Component, type RunsDeps, requireScope } from "../../../shared/runs/index.ts";
import { mayUse } from "../mcp/held-scopes.ts";

const kinds = ["agent", "team", "workflow"] as const satisfies readonly RunnableKind[];

/** A component as OpenAI's clients name a model, such as `agent:assistant`. */
export const modelName = ({ kind, id }: Component): string => `${kind}:${id}`;

/**
 * The component that a model's name means: `agent:assistant`, or the id alone where only one kind that the caller may run has it.
 *
 * @throws ServiceError NOT_FOUND for a name of nothing, BAD_REQUEST for an id of several components, UNAUTHORIZED without the
 *         scope to run it
 */
export async function componentOfModel(
  { knowsRunnable }: Pick<RunsDeps, "knowsRunnable">,
  principal: Principal,
  name: string,
): Promise<Component> {
  const kind = kinds.find((one) => name.startsWith(`${one}:`));
  if (kind) {
    const component = { kind, id: name.slice(kind.length + 1) };
    requireScope({ principal, component }, "run");
    if (!(await knowsRunnable(kind, component.id))) throw unknownModel(name);
    return component;
  }
  const allowed = kinds
    .map((one): Component => ({ kind: one, id: name }))
    .filter((component) => mayUse(principal, component, "run"));
  const known = await Promise.all(allowed.map(({ kind: one, id }) => knowsRunnable(one, id)));
  const [found, ...others] = allowed.filter((_, at) => known[at]);
  if (!found) throw unknownModel(name);
  if (others.length === 0) return found;
  const names = [found, ...others].map(modelName).join(", ");
  throw new RefusedParameter(
    "model",
    `${name} is the id of several components; name one of ${names}`,
    "ambiguous_model",
  );
}

const unknownModel = (name: string): RefusedParameter =>
  new RefusedParameter(
    "model",
    `The model ${name} does not exist or you do not have access to it; GET /v1/models lists those you may run`,
    "model_not_found",
  );
