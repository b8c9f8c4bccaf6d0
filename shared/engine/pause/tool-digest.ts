import { createHash } from "node:crypto";
import type { ToolExecution } from "../../schemas/runs/run.ts";
import { canonicalJson, ownMember } from "../../schemas/values/json-values.ts";
import type { AgentSettings } from "../define/agent.ts";
import type { Member } from "../define/team.ts";
import { awaitsPerson, waitsForPerson } from "../run/next-step.ts";
import type { RunState } from "../run/run-state.ts";
import { toolParameters } from "../tool/new-tool-call.ts";
import { callKey } from "./approval-of.ts";

/**
 * A digest of what a call would do: tool, arguments and the schema that parses them. The person who answers has seen
 * exactly this, so what runs must match it.
 */
export function toolDigest({ tool_name, tool_args }: ToolExecution, { tools }: AgentSettings): string {
  const tool = tools.find(({ name }) => name === tool_name);
  const schema = tool ? toolParameters(tool) : null;
  return createHash("sha256").update(canonicalJson({ tool_name, tool_args, schema })).digest("base64url");
}

/**
 * The digests of the calls that wait for a person, by their keys, those of a team's members among them.
 *
 * @param run_id  given for a run that is part of another; see `callKey`
 */
export function digestsOf(
  { tools, members = [] }: Pick<RunState, "tools" | "members">,
  agent: Member,
  run_id?: string,
): Record<string, string> {
  const own = tools
    .filter(awaitsPerson)
    .map((call) => [callKey(call.tool_call_id, run_id), toolDigest(call, agent)] as const);
  const waiting = members.filter(waitsForPerson).map((run) => {
    const member = agent.kind === "team" && agent.members.find(({ id }) => id === run.member_id);
    return member && run.state ? digestsOf(run.state, member, run.run_id) : {};
  });
  return Object.assign(Object.fromEntries(own), ...waiting);
}

/**
 * A call that a person was asked about, that has not run yet, and that would do something else in this code than what the
 * person saw; undefined when there is none.
 *
 * @param digests  those of the pause, by key
 * @param run_id   given for a run that is part of another; see `callKey`
 */
export function changedCall(
  { tools, members = [] }: Pick<RunState, "tools" | "members">,
  agent: Member,
  digests: Readonly<Record<string, string>>,
  run_id?: string,
): ToolExecution | undefined {
  const own = tools.find((call) => {
    const shown = ownMember(digests, callKey(call.tool_call_id, run_id));
    const isDue = call.result === null && call.confirmed !== false;
    return shown !== undefined && isDue && shown !== toolDigest(call, agent);
  });
  if (own) return own;
  for (const run of members) {
    const member = agent.kind === "team" && agent.members.find(({ id }) => id === run.member_id);
    const changed = member && run.state && changedCall(run.state, member, digests, run.run_id);
    if (changed) return changed;
  }
  return undefined;
}
