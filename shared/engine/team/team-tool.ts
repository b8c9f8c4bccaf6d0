import type * as v from "valibot";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { Batch } from "../call/batch.ts";
import type { Team } from "../define/team.ts";
import type { ToolAnswer } from "../ports/tool-ledger.ts";
import type { Execution } from "../run/execution.ts";
import type { MemberRun } from "../run/run-state.ts";
import type { Tool } from "../tool/tool.ts";

/** What a leader's tool may look at and change. */
export type LeadScope = {
  readonly team: Team;
  readonly call: ToolExecution;
  readonly batch: Batch;
  readonly execution: Execution;
};

/** What a leader's call comes to at once: an answer, or runs of members that make one. */
export type Led = { readonly answer: ToolAnswer } | { readonly runs: readonly MemberRun[] };

type Leads<Args> = {
  /** Called once, also when the call goes on in another process. It may not wait for anything. */
  readonly lead: (args: Args, scope: LeadScope) => Led;
  /** Sees each run as it ends, before anybody is told. */
  readonly ended?: (run: MemberRun, scope: LeadScope) => void;
  /** What the leader is told once all the runs have ended. */
  readonly conclude?: (runs: readonly MemberRun[], scope: LeadScope) => ToolAnswer;
};

/** A tool that the engine itself executes, within the state of the leader's run. */
export type TeamTool = Tool & Leads<Record<string, unknown>>;

type ArgumentsSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;

type Declared<S extends ArgumentsSchema> = Pick<Tool, "name" | "description" | "stop_after_tool_call"> & {
  parameters: S;
} & Leads<v.InferOutput<S>>;

/** Declares a leader's tool. What members do has its own record, so that leading itself may be done again. */
export function defineTeamTool<S extends ArgumentsSchema>(declared: Declared<S>): TeamTool {
  // Arguments are validated against `parameters` before a tool sees them, which no type can say.
  return { effect: "safe", ...declared } as unknown as TeamTool;
}

export const isTeamTool = (tool: Tool): tool is TeamTool => "lead" in tool;

export const told = (text: string): Led => ({ answer: { text, failed: false } });
export const refused = (text: string): Led => ({ answer: { text, failed: true } });
