import type { Team } from "../define/team.ts";
import type { Tool } from "../tool/tool.ts";
import { delegateToMember, delegateToMembers } from "./delegate-tools.ts";
import { memberInformationTool } from "./member-information-tool.ts";
import { taskTools } from "./task-tools.ts";

/** A leader's tools for its members, beside those that its team declares; none for a team without members. */
export function teamTools(team: Team): readonly Tool[] {
  if (team.members.length === 0) return [];
  const information = team.get_member_information_tool ? [memberInformationTool(team)] : [];
  return [...toolsForMode(team), ...information];
}

function toolsForMode(team: Team): readonly Tool[] {
  switch (team.mode) {
    case "coordinate":
    case "route":
      return [delegateToMember(team)];
    case "broadcast":
      return [delegateToMembers(team)];
    case "tasks":
      return taskTools(team);
  }
}
