import type { AgentResponse } from "../../schemas/components/agent.ts";
import type { ComponentRecord, VersionRecord } from "../../schemas/components/component-record.ts";
import type { TeamResponse } from "../../schemas/components/team.ts";
import type { WorkflowResponse } from "../../schemas/components/workflow.ts";
import { getLatestVersion, getVersion } from "../../stores/components/version-item.ts";
import type { Db } from "../../stores/db.ts";
import type { Runnable } from "../define/runnable.ts";
import { buildComponent } from "./build/build-component.ts";
import type { Parts } from "./build/build-settings.ts";
import { describeMember, describeWorkflow } from "./describe-team-and-workflow.ts";

type ResponseOf = { agent: AgentResponse; team: TeamResponse; workflow: WorkflowResponse };

/**
 * A stored component as clients see it among those that code declares: at its live version, or the newest draft of one
 * that was never published. Parts that its config names and that do not exist are left out.
 *
 * @param version  another version to show
 * @returns undefined where there is no such version
 * @source docs/interface/components.md 6.1
 */
export async function describeStored<K extends keyof ResponseOf>(
  kind: K,
  component: ComponentRecord,
  parts: Parts,
  db: Db,
  version?: VersionRecord,
): Promise<ResponseOf[K] | undefined> {
  const shown = version ?? (await shownVersion(db, component));
  if (!shown || component.component_type !== kind) return undefined;
  const { value } = await buildComponent({ component, version: shown }, parts, db);
  if (value.kind === "skill") return undefined;
  const described = {
    ...describe(value, parts),
    is_component: true,
    current_version: shown.version,
    stage: shown.stage,
  };
  // The component's type has just been compared with the kind.
  return described as unknown as ResponseOf[K];
}

const describe = (runnable: Runnable, { models }: Parts) =>
  runnable.kind === "workflow" ? describeWorkflow(runnable, models) : describeMember(runnable, models);

const shownVersion = (db: Db, { component_id: id, current_version }: ComponentRecord) =>
  current_version === undefined ? getLatestVersion(db, id) : getVersion(db, id, current_version);
