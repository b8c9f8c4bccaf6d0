import * as v from "valibot";
import { passesGate } from "../../../shared/domain/evals/passes-gate.ts";
import type { Fault } from "../../../shared/errors.ts";
import type { ComponentRecord, VersionRecord } from "../../../shared/schemas/components/component-record.ts";
import { EvalGate, SkillGate } from "../../../shared/schemas/evals/eval-gate.ts";
import { getVersion } from "../../../shared/stores/components/version-item.ts";
import type { ComponentsDeps } from "../components-deps.ts";
import { type Evaluated, evaluationsInUse, ownEvaluations } from "./evaluations.ts";

/** Where the faults of a gate are; they do not say that a version cannot run. */
export const GATE_PATH = "require_eval";

/**
 * Why a version may not be published by its gate: `require_eval` in its own config, or in that of the live version, so
 * that a version which leaves the gate out passes it once more.
 *
 * @param number   of the version; undefined for one that is not stored yet, which cannot have been evaluated
 * @param version  as it would be published
 * @returns        nothing for a workflow, which cannot be evaluated, and where there is no gate; a skill is evaluated in use
 */
export async function gateFaults(
  { db }: Pick<ComponentsDeps, "db">,
  { component_id, component_type, current_version }: ComponentRecord,
  number: number | undefined,
  version: Pick<VersionRecord, "config" | "links">,
): Promise<readonly Fault[]> {
  if (component_type === "workflow") return [];
  const isSkill = component_type === "skill";
  const live =
    current_version === undefined ? undefined : await getVersion(db, component_id, current_version);
  if (takesGateAway(live, version)) return [gateFault(TAKEN_AWAY)];
  const asked = version.config.require_eval ?? live?.config.require_eval ?? false;
  const parsed = v.safeParse(isSkill ? SkillGate : EvalGate, asked);
  if (!parsed.success) return [gateFault(isSkill ? IN_USE : NO_GATE)];
  const gate = parsed.output;
  if (gate === false) return [];
  if (number === undefined) {
    return [
      gateFault("a version is evaluated before it is published: store it as a draft, and evaluate that"),
    ];
  }
  const unsaved = { component_id, version: number, config: version.config };
  const { all, same } = await (isSkill && gate !== true
    ? evaluationsInUse(db, gate, unsaved)
    : ownEvaluations(db, unsaved, version));
  const passing = same.filter((one) => passesGate(gate, one));
  // One of tool calls in which no case expects any passes with every version.
  if (passing.some(({ totals }) => totals?.expects !== false)) return [];
  const [empty] = passing;
  return [gateFault(empty ? expectsNothing(number, empty.id) : reasonOf(number, all.length, same))];
}

const NO_GATE = "require_eval is true, or says what an evaluation has to reach";

const IN_USE =
  "require_eval of a skill is an object with agent_id or team_id: a skill is evaluated in the agent or team that uses it";

const TAKEN_AWAY =
  "the live version has require_eval, and without it any later version could be published unevaluated; keep it, or take it away with force=true, which the audit records";

/**
 * Whether a version that goes live would end the gate of the one that is live. One that leaves the gate out passes it once
 * more when it is published, and the audit shows that it is gone.
 */
export const takesGateAway = (
  live: Pick<VersionRecord, "config"> | undefined,
  version: Pick<VersionRecord, "config">,
): boolean => hasGate(live) && version.config.require_eval === false;

const hasGate = (version: Pick<VersionRecord, "config"> | undefined): boolean =>
  version !== undefined && (version.config.require_eval ?? false) !== false;

/** Faults of making an older version live again that has no gate, where the live one has. */
export const rollbackFaults = (
  live: Pick<VersionRecord, "config"> | undefined,
  version: Pick<VersionRecord, "config">,
): readonly Fault[] => (hasGate(live) && !hasGate(version) ? [gateFault(TAKEN_AWAY)] : []);

const expectsNothing = (number: number, id: string): string =>
  `version ${number} needs an evaluation that expects something; ${id} passes, and none of its cases expects a tool call`;

const gateFault = (message: string): Fault => ({ path: GATE_PATH, message, error_code: "UNPROCESSABLE" });

function reasonOf(number: number, count: number, same: Evaluated["same"]): string {
  const needs = `version ${number} needs an evaluation that passes what require_eval asks for`;
  const [newest] = same;
  if (count === 0) return `${needs}, and it has none`;
  if (!newest) return `${needs}, and it was edited since it was evaluated`;
  const came =
    newest.status === "completed" ? "does not pass" : newest.status === "running" ? "goes on" : "failed";
  return `${needs}; the newest, ${newest.id}, ${came}`;
}
