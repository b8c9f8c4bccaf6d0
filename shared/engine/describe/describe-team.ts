import type { AgentResponse } from "../../schemas/components/agent.ts";
import type { TeamResponse } from "../../schemas/components/team.ts";
import type { Agent } from "../define/agent.ts";
import type { Team } from "../define/team.ts";
import type { Models } from "../model/models.ts";
import { describeAgent } from "./describe-agent.ts";

/** A team as clients see it: its leader, its mode and its members. */
export function describeTeam(team: Team, models: Pick<Models, "describe">): TeamResponse {
  const { mode, members, stream_member_events, get_member_information_tool } = team;
  const leader = describeAgent({ ...team, kind: "agent" }, models);
  return {
    ...leader,
    ...(get_member_information_tool && {
      default_tools: { ...leader.default_tools, get_member_information_tool },
    }),
    mode,
    members: members.map((member) => describeMember(member, models)),
    ...(!stream_member_events && { streaming: { stream_member_events } }),
  };
}

/** An agent or a team, as it is shown within another. */
export const describeMember = (
  member: Agent | Team,
  models: Pick<Models, "describe">,
): AgentResponse | TeamResponse =>
  member.kind === "team" ? describeTeam(member, models) : describeAgent(member, models);
