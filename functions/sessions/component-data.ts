import type { StoredSession } from "../../shared/stores/sessions/session-item.ts";
import type { SessionsDeps } from "./sessions-deps.ts";

/**
 * What the session's component is today; null when it is not registered (any more).
 *
 * @source contract, sessions section 6, `agent_data`
 */
export function componentData(
  { session_type, component_id }: StoredSession,
  { findAgent, models }: Pick<SessionsDeps, "findAgent" | "models">,
): Record<string, unknown> | null {
  if (session_type !== "agent" || component_id === undefined) return null;
  const agent = findAgent(component_id);
  if (!agent) return null;
  const { id, provider } = models.describe(agent.model);
  return { name: agent.name, id: agent.id, model: { id, provider, name: provider } };
}
