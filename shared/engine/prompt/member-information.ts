import type { Member } from "../define/team.ts";

export type MemberInformation = {
  readonly id: string;
  readonly name: string;
  readonly role?: string;
  readonly description?: string;
  readonly tools?: readonly string[];
  /** Given where the member is a team. */
  readonly members?: readonly MemberInformation[];
};

/** What a leader is shown of a member. */
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
