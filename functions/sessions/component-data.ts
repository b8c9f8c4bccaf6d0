import { modelViewOf } from "../../shared/engine/define/remote-agent.ts";
import type { Runnable } from "../../shared/engine/define/runnable.ts";
import type { Models } from "../../shared/engine/model/models.ts";
import type { StoredSession } from "../../shared/stores/sessions/session-item.ts";
import type { SessionsDeps } from "./sessions-deps.ts";

/** The component of a session's runs; undefined when it does not exist (any more). */
export async function componentOf(
  { session_type, component_id }: StoredSession,
  { findRunnable }: Pick<SessionsDeps, "findRunnable">,
): Promise<Runnable | undefined> {
  return component_id === undefined ? undefined : findRunnable(session_type, component_id);
}

/** What the session's component is today. */
export function componentData(runnable: Runnable, models: Pick<Models, "describe">): Record<string, unknown> {
  const { id, name, kind } = runnable;
  // Both spellings: clients of different versions read one of them.
  const ids = { id, [`${kind}_id`]: id };
  if (runnable.kind === "workflow") {
    const steps = runnable.steps.map(({ name: step, description = null, type }) => ({
      name: step,
      description,
      type,
    }));
    return { name, ...ids, steps };
  }
  const { id: model_id, provider } = modelViewOf(runnable, models);
  return { name, ...ids, model: { id: model_id, provider, name: provider } };
}
