import type { TeamMode } from "../../schemas/components/team-modes.ts";
import type { Team } from "../define/team.ts";
import { memberInformation } from "../prompt/member-information.ts";

/** Instructions to the leader, by mode. */
const duties: Readonly<Record<TeamMode, string>> = {
  coordinate:
    "You lead a team. Hand each part of the request to the member who can do it best, read the answers, and write one answer of your own.",
  route:
    "You lead a team. Hand the request to the one member who can answer it: the member's words are the answer.",
  broadcast:
    "You lead a team. Every member has been given the request. Write one answer from theirs, and name where they disagree.",
  tasks:
    "You lead a team. Break the goal into tasks, say which member does each and which tasks must come first, run those that are ready, and declare the goal complete with a summary once nothing is left to do.",
};

/** The part of a leader's system text about its team. */
export const teamText = ({ mode, members }: Team): string =>
  [
    duties[mode],
    "Members of the team:",
    ...members.map((member) => `- ${JSON.stringify(memberInformation(member))}`),
  ].join("\n");
