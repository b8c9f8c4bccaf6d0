import * as v from "valibot";
import type { Team } from "../define/team.ts";
import { memberInformation } from "../prompt/member-information.ts";
import { defineTool, type Tool } from "../tool/tool.ts";

/** Lets a leader look up what its members can do. @source docs/interface/runs.md 2.3 */
export const memberInformationTool = (team: Team): Tool =>
  defineTool({
    name: "get_member_information",
    description: "Read who the members of the team are and what they can do.",
    parameters: v.object({}),
    effect: "safe",
    execute: () => team.members.map(memberInformation),
  });
