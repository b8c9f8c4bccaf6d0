import { providers } from "../../support/hostile-model/start-hostile-model.ts";
import { stableNumber } from "../../support/stable-number.ts";
import type { BehaviourName } from "./failures.ts";
import { type FlowName, flows } from "./flows.ts";
import { outcomes } from "./outcomes.ts";

/** Only what is under way can be cancelled. */
const cancellable: ReadonlySet<BehaviourName> = new Set([
  "429-wait",
  "503-always",
  "silence",
  "silence-1",
  "slow",
]);

/** A step is executed up to four times: what a model never ends takes minutes then, and how it ends depends on the minute. */
const endless: ReadonlySet<BehaviourName> = new Set(["silence", "silence-1", "cut-always"]);

/** Whether a flow can be played over a behaviour. */
export const isPlayed = (name: BehaviourName, flow: FlowName): boolean =>
  flow === "cancel"
    ? cancellable.has(name)
    : name !== "429-wait" && !(flow === "workflow" && endless.has(name));

const flowNames = Object.keys(flows);

/**
 * Whether one combination is among those that together hold every pair: each behaviour in each flow, of each provider, and
 * each provider in each flow. What is cancelled, and what the table says that providers differ in, is played of all of them. The provider goes round
 * with the flow, from a start that only the behaviour's name decides: a new row moves no other.
 */
export function isChosen(name: BehaviourName, flow: FlowName, provider: string): boolean {
  if (!isPlayed(name, flow)) return false;
  if (flow === "cancel" || typeof outcomes[name]?.[flow] === "object") return true;
  return providers[(stableNumber(name) + flowNames.indexOf(flow)) % providers.length] === provider;
}
