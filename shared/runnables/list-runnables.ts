import * as v from "valibot";
import type { Principal } from "../auth/principal.ts";
import { type RunnableKind, readableIds } from "../auth/scopes/scopes.ts";
import { describeAgent } from "../engine/component/describe-agent.ts";
import { describeTeam, summarizeWorkflow } from "../engine/component/describe-team-and-workflow.ts";
import type { Registry } from "../engine/define/registry.ts";
import { WorkflowSummary } from "../schemas/components/workflow.ts";
import { listStored, type RunnablesDeps } from "./stored-runnables.ts";

/** The components of a kind that the caller may read: what the registry declares, then the stored ones. */
export const listRunnables = {
  agent: async (principal: Principal, deps: RunnablesDeps) => [
    ...readableDeclared(deps, principal, "agents").map((agent) => describeAgent(agent, deps.models)),
    ...(await listStored("agent", principal, deps)),
  ],
  team: async (principal: Principal, deps: RunnablesDeps) => [
    ...readableDeclared(deps, principal, "teams").map((team) => describeTeam(team, deps.models)),
    ...(await listStored("team", principal, deps)),
  ],
  workflow: async (principal: Principal, deps: RunnablesDeps) => [
    ...readableDeclared(deps, principal, "workflows").map(summarizeWorkflow),
    ...(await listStored("workflow", principal, deps)).map((one) => v.parse(WorkflowSummary, one)),
  ],
};

/** What the registry declares of a kind, as far as the caller may read it: who may read some only gets those. */
function readableDeclared<K extends RunnableKind>(
  { registry }: RunnablesDeps,
  principal: Principal,
  kind: K,
): readonly Registry[K][number][] {
  const ids = readableIds(principal, kind);
  return registry[kind].filter(({ id }) => ids === "all" || ids.has(id));
}
