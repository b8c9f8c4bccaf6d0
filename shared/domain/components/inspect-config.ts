import type { Fault } from "../../errors.ts";
import type { ComponentType } from "../../schemas/components/component.ts";
import type { ConfigWarning } from "../../schemas/components/config-check.ts";
import { isObject } from "../../schemas/values/json-values.ts";
import { nearestName } from "../../schemas/values/nearest-name.ts";
import { agentKeys } from "./config-keys/agent-keys.ts";
import type { ConfigKey, ConfigKeys } from "./config-keys/config-key.ts";
import { skillKeys } from "./config-keys/skill-keys.ts";
import { teamKeys } from "./config-keys/team-keys.ts";
import { reviewKeys, type StepType, stepKeys, workflowKeys } from "./config-keys/workflow-keys.ts";

/** The keys of a config as a whole. */
export const keysOf = {
  agent: agentKeys,
  team: teamKeys,
  workflow: workflowKeys,
  skill: skillKeys,
} as const satisfies Record<ComponentType, ConfigKeys>;

type Config = Readonly<Record<string, unknown>>;

/** What is said of the keys of a config. */
export type KeyFindings = {
  /** Keys that change nothing, although they seem to. */
  readonly warnings: readonly ConfigWarning[];
  /** Keys with which a config cannot be stored. */
  readonly refusals: readonly Fault[];
};

/**
 * Looks at the keys of a config, and of the steps in it at every depth. Whether their values can be used, and what they
 * name exists, is found out when it is built.
 *
 * @source docs/interface/components.md 5.2
 */
export function inspectConfig(type: ComponentType, config: Config): KeyFindings {
  const found = inspectKeys(config, keysOf[type], "");
  if (type !== "workflow") return joined([found, inspectMode(type, config)]);
  return joined([found, inspectSteps(config.steps, "steps")]);
}

function inspectKeys(value: Config, known: ConfigKeys, within: string): KeyFindings {
  const entries = Object.entries(value).filter(([, one]) => one !== undefined && one !== null);
  return joined(entries.map(([name, one]) => inspectKey(name, one, known, within)));
}

const nothing: KeyFindings = { warnings: [], refusals: [] };

function inspectKey(name: string, value: unknown, known: ConfigKeys, within: string): KeyFindings {
  const path = within === "" ? name : `${within}.${name}`;
  const key = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!key) return warning(path, unknownKey(name, known));
  const { status, note = "", refuses } = key;
  if (refuses?.values.includes(value)) return refusal(path, `${name} cannot be ${value}: ${refuses.because}`);
  if (status === "works" || isPlain(key, value)) return nothing;
  return status === "refused"
    ? refusal(path, `${name} cannot be used here: ${note}`)
    : warning(path, `${name} is ignored: ${note}`);
}

const isPlain = ({ plain = [] }: ConfigKey, value: unknown): boolean =>
  plain === "any" || plain.some((one) => one === value);

const warning = (path: string, message: string): KeyFindings => ({
  warnings: [{ path, message }],
  refusals: [],
});
const refusal = (path: string, message: string): KeyFindings => ({
  warnings: [],
  refusals: [{ path, message, error_code: "UNPROCESSABLE" }],
});

function unknownKey(name: string, known: ConfigKeys): string {
  const nearest = nearestName(name, Object.keys(known));
  return `${name} is unknown and ignored${nearest === undefined ? "" : `; the nearest key is ${nearest}`}`;
}

/** A team's mode takes precedence over what says the same in another way. */
function inspectMode(type: ComponentType, { mode, ...config }: Config): KeyFindings {
  if (type !== "team" || mode === undefined || mode === null) return nothing;
  const contradicting = Object.entries({ respond_directly: "route", delegate_to_all_members: "broadcast" })
    .filter(([name, means]) => config[name] === true && mode !== means)
    .map(([name, means]) =>
      warning(name, `${name} is ignored: it means the mode ${means}, and mode is ${mode}`),
    );
  return joined(contradicting);
}

function inspectSteps(steps: unknown, path: string): KeyFindings {
  if (!Array.isArray(steps)) return nothing;
  return joined(steps.map((step, at) => inspectStep(step, `${path}[${at}]`)));
}

function inspectStep(step: unknown, path: string): KeyFindings {
  if (!isObject(step)) return nothing;
  const type = step.type ?? "Step";
  if (!isStepType(type)) return nothing; // an unknown type is a fault
  const reviewed: Partial<Record<StepType, ConfigKeys>> = reviewKeys;
  const review = reviewed[type];
  return joined([
    inspectKeys(step, stepKeys[type], path),
    isObject(step.human_review) && review
      ? inspectKeys(step.human_review, review, `${path}.human_review`)
      : nothing,
    ...["steps", "else_steps", "choices"].map((below) => inspectSteps(step[below], `${path}.${below}`)),
  ]);
}

const isStepType = (type: unknown): type is StepType =>
  typeof type === "string" && Object.hasOwn(stepKeys, type);

const joined = (all: readonly KeyFindings[]): KeyFindings => ({
  warnings: all.flatMap(({ warnings }) => warnings),
  refusals: all.flatMap(({ refusals }) => refusals),
});
