import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BehaviourName } from "./failures.ts";
import type { FlowName } from "./flows.ts";

/** How each flow ends over each behaviour of a model: for all providers, or by provider where they differ. */
export type Outcomes = Readonly<
  Partial<
    Record<BehaviourName, Readonly<Partial<Record<FlowName, string | Readonly<Record<string, string>>>>>>
  >
>;

export const outcomesPath: string = join(import.meta.dirname, "outcomes.json");

export const outcomes: Outcomes = JSON.parse(readFileSync(outcomesPath, "utf8"));

/** How a flow ends that is cancelled while its model fails: either may be first. */
const eitherFirst: Readonly<Partial<Record<BehaviourName, readonly string[]>>> = {
  "503-always": ['ERROR "status 503"', 'CANCELLED "The run was cancelled."'],
  slow: ["COMPLETED with what came", "CANCELLED with what came"],
};

/** Mostly one; several where two things happen at the same time. */
export function expectedOutcomes(name: BehaviourName, flow: FlowName, provider: string): readonly string[] {
  const outcome = outcomes[name]?.[flow];
  const recorded = typeof outcome === "object" ? outcome[provider] : outcome;
  return [recorded ?? "", ...((flow === "cancel" && eitherFirst[name]) || [])];
}
