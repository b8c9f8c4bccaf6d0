import type { Team } from "../define/team.ts";
import type { Tool } from "../tool/tool.ts";
import { delegateToMember, delegateToMembers } from "./delegate-tools.ts";
import { memberInformationTool } from "./member-information-tool.ts";
import { taskTools } from "./task-tools.ts";

/** What a leader leads with, beside the tools that its team declares; nothing where there is nobody to lead. */
export function teamTools(team: Team): readonly Tool[] {
  if (team.members.length === 0) return [];
  const information = team.get_member_information_tool ? [memberInformationTool(team)] : [];
  return [...leadingTools(team), ...information];
}

function leadingTools(team: Team): readonly Tool[] {
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
