import * as v from "valibot";
import { outputMedia } from "../../domain/runs/output-media.ts";
import { epochSeconds } from "../../runtime/clock.ts";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import type { Team } from "../define/team.ts";
import type { ToolAnswer } from "../ports/engine-ports.ts";
import type { Execution } from "../run/execution.ts";
import type { MemberRun } from "../run/run-state.ts";
import type { Tool } from "../tool/tool.ts";
import type { Batch } from "../turn/batch.ts";

/** What a leader's tool may read and change. */
export type LeadScope = {
  readonly team: Team;
  readonly call: ToolExecution;
  readonly batch: Batch;
  readonly execution: Execution;
};

/** The immediate result of a leader's call: an answer, or members' runs that produce one. */
export type LeadResult = { readonly answer: ToolAnswer } | { readonly runs: readonly MemberRun[] };

type LeadHandlers<Args> = {
  /** Called once, even when the call resumes in another process. It must be synchronous. */
  readonly lead: (args: Args, scope: LeadScope) => LeadResult;
  /** Called for each run when it ends, before it is saved. */
  readonly ended?: (run: MemberRun, scope: LeadScope) => void;
  /** Makes the answer once all the runs have ended. */
  readonly conclude?: (runs: readonly MemberRun[], scope: LeadScope) => ToolAnswer;
};

/** A tool that the engine itself executes, within the state of the leader's run. */
export type TeamTool = Tool & LeadHandlers<Record<string, unknown>>;

type ArgumentsSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;

type Declared<S extends ArgumentsSchema> = Pick<Tool, "name" | "description" | "stop_after_tool_call"> & {
  parameters: S;
} & LeadHandlers<v.InferOutput<S>>;

/** Declares a leader's tool. Members' runs have their own records, so the call itself is safe to repeat. */
export function defineTeamTool<S extends ArgumentsSchema>(declared: Declared<S>): TeamTool {
  // Arguments are validated against `parameters` before a tool sees them, which no type can say.
  return { effect: "safe", ...declared } as unknown as TeamTool;
}

export const isTeamTool = (tool: Tool): tool is TeamTool => "lead" in tool;

export const succeeded = (text: string): LeadResult => ({ answer: { text, failed: false } });
export const refused = (text: string): LeadResult => ({ answer: { text, failed: true } });

/** The result of a member's ended run for its leader: its answer and media, or why it failed. */
export function memberAnswer({ output, member_id }: MemberRun, { members }: Team): ToolAnswer {
  const text = contentText(output?.content);
  if (output?.status === "COMPLETED") return { text, failed: false, media: outputMedia(output) };
  const name = members.find(({ id }) => id === member_id)?.name ?? member_id;
  return { text: `${name} failed: ${text}`, failed: true };
}

/** A run's content as text; a structured answer as JSON. */
export const contentText = (content: unknown): string =>
  typeof content === "string" ? content : (JSON.stringify(content) ?? "");

/** The argument that names a member. The error for another id lists the members. */
export const memberId = ({ members }: Team) =>
  v.pipe(
    v.picklist(
      members.map(({ id }) => id),
      `is no member; members are ${members.map(({ id }) => id).join(", ")}`,
    ),
    v.description("id of the member"),
  );

/** A member's run that has not taken a step yet. */
export function beginMemberRun(member_id: string, task: string, { call, execution }: LeadScope): MemberRun {
  const { clock, newId } = execution.ports;
  const { tool_call_id } = call;
  return { run_id: newId(), member_id, tool_call_id, task, created_at: epochSeconds(clock) };
}
