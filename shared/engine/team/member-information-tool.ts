import * as v from "valibot";
import type { Member, Team } from "../team.ts";
import { defineTool, type Tool } from "../tool.ts";

/** Lets a leader look up who can do what. @source contract, runs-and-queue 2.3, `get_member_information_tool` */
export const memberInformationTool = (team: Team): Tool =>
  defineTool({
    name: "get_member_information",
    description: "Read who the members of the team are and what they can do.",
    parameters: v.object({}),
    effect: "safe",
    execute: () => team.members.map(memberInformation),
  });

type MemberInformation = {
  readonly id: string;
  readonly name: string;
  readonly role?: string;
  readonly description?: string;
  readonly tools?: readonly string[];
  /** Given where the member is a team. */
  readonly members?: readonly MemberInformation[];
};

/** What a leader is told of a member. */
export function memberInformation(member: Member): MemberInformation {
  const { id, name, role, description, tools } = member;
  return {
    id,
    name,
    ...(role !== undefined && { role }),
    ...(description !== undefined && { description }),
    ...(tools.length > 0 && { tools: tools.map((tool) => tool.name) }),
    ...(member.kind === "team" && { members: member.members.map(memberInformation) }),
  };
}
