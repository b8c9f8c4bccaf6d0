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

export function expectedOutcome(name: BehaviourName, flow: FlowName, provider: string): string | undefined {
  const outcome = outcomes[name]?.[flow];
  return typeof outcome === "object" ? outcome[provider] : outcome;
}
