import type { Client, ComponentAddress } from "../../client/index.ts";
import { hintOf, nearestName } from "../../shared/schemas/values/nearest-name.ts";
import { UsageError } from "./usage-error.ts";

/** The agent, team or workflow with an id. @throws UsageError where nothing has this id, with what there is */
export async function componentOf(client: Client, id: string): Promise<ComponentAddress> {
  const [agents, teams, workflows] = await Promise.all([
    client.listAgents(),
    client.listTeams(),
    client.listWorkflows(),
  ]);
  const has = (list: readonly { readonly id?: string | null | undefined }[]) =>
    list.some((one) => one.id === id);
  if (has(agents)) return { agent_id: id };
  if (has(teams)) return { team_id: id };
  if (has(workflows)) return { workflow_id: id };
  const ids = [...agents, ...teams, ...workflows].flatMap((one) => one.id ?? []);
  const hint = hintOf(nearestName(id, ids)) || `; there is ${ids.join(", ") || "nothing yet"}.`;
  throw new UsageError(`Nothing here has the id "${id}"${hint}`);
}
