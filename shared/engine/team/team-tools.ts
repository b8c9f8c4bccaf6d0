import * as v from "valibot";
import type { Team } from "../define/team.ts";
import { defineTool, type Tool } from "../tool/tool.ts";
import { memberInformation } from "../turn/system-text.ts";
import { delegateToMember, delegateToMembers } from "./delegate-tools.ts";
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

/** Lets a leader look up what its members can do. @source docs/interface/runs.md 2.3 */
const memberInformationTool = (team: Team): Tool =>
  defineTool({
    name: "get_member_information",
    description: "Read who the members of the team are and what they can do.",
    parameters: v.object({}),
    effect: "safe",
    execute: () => team.members.map(memberInformation),
  });
