import { epochSeconds } from "../../runtime/clock.ts";
import type { MemberRun } from "../run/run-state.ts";
import type { LeadScope } from "./team-tool.ts";

/** A member's run that has not taken a step yet. */
export function beginMemberRun(member_id: string, task: string, { call, execution }: LeadScope): MemberRun {
  const { clock, newId } = execution.ports;
  const { tool_call_id } = call;
  return { run_id: newId(), member_id, tool_call_id, task, created_at: epochSeconds(clock) };
}
