import type * as v from "valibot";
import type { Tool } from "../tool/tool.ts";
import type { Agent } from "./agent.ts";
import type { Team } from "./team.ts";
import type { StepFunction, Workflow } from "./workflow.ts";

/** What this instance hosts, as `registry/index.ts` declares it. */
export type Registry = {
  readonly agents: readonly Agent[];
  readonly teams: readonly Team[];
  readonly workflows: readonly Workflow[];
  /** The only parts that the configs of stored components may name. */
  readonly parts?: RegisteredParts;
};

/**
 * Declares what an instance hosts. What is left out is empty.
 *
 * @example export const registry = defineRegistry({ agents: [assistant] });
 */
export const defineRegistry = (registry: Partial<Registry>): Registry => ({
  agents: [],
  teams: [],
  workflows: [],
  ...registry,
});

/** Parts that stored components are put together from, by name. */
export type RegisteredParts = {
  readonly tools?: readonly Tool[];
  /** Model specifications, beside the default one and those of the declared agents and teams. */
  readonly models?: readonly string[];
  readonly schemas?: Readonly<Record<string, v.GenericSchema>>;
  /** What a workflow's steps, conditions and routers may call. */
  readonly functions?: Readonly<Record<string, StepFunction>>;
};
