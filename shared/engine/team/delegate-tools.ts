import * as v from "valibot";
import { outputMedia } from "../../domain/runs/output-media.ts";
import type { Member, Team } from "../define/team.ts";
import { beginMemberRun, defineTeamTool, memberAnswer, memberId, type TeamTool } from "./team-tool.ts";

const Task = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.description("what to do, with all that must be known to do it: the conversation itself is not passed on"),
);

/** Hands a task to one member. In a team that routes, the member's answer is the team's. */
export const delegateToMember = (team: Team): TeamTool =>
  defineTeamTool({
    name: "delegate_task_to_member",
    description:
      team.mode === "route"
        ? "Hand the request to the member who can answer it. What the member says is the answer."
        : "Hand a task to a member and get its answer. Several calls in one turn run side by side.",
    parameters: team.determine_input_for_members
      ? v.object({ member_id: memberId(team), task: Task })
      : v.object({ member_id: memberId(team) }),
    ...(team.mode === "route" && { stop_after_tool_call: true }),
    lead: (args: { member_id: string; task?: string }, scope) => ({
      runs: [beginMemberRun(args.member_id, args.task ?? scope.execution.request.input, scope)],
    }),
    conclude: ([run]) => (run ? memberAnswer(run, team) : { text: "", failed: true }),
  });

export const BROADCAST_TOOL = "delegate_task_to_members";

/** Hands the same task to every member. */
export const delegateToMembers = (team: Team): TeamTool =>
  defineTeamTool({
    name: BROADCAST_TOOL,
    description: "Hand a task to every member and get all their answers.",
    parameters: v.object({ task: Task }),
    lead: ({ task }, scope) => ({ runs: team.members.map(({ id }) => beginMemberRun(id, task, scope)) }),
    conclude: (runs) => {
      const answers = runs.map((run) => memberAnswer(run, team));
      return {
        text: answers
          .map(({ text, failed }, i) => named(runs[i]?.member_id, text, failed, team))
          .join("\n\n"),
        failed: answers.every(({ failed }) => failed),
        media: outputMedia(...answers.map(({ media = {} }) => media)),
      };
    },
  });

/** The text of a failure already names the member. */
const named = (member_id: string | undefined, text: string, failed: boolean, { members }: Team): string =>
  failed ? text : `${nameOf(members, member_id)}: ${text}`;

const nameOf = (members: readonly Member[], member_id: string | undefined): string =>
  members.find(({ id }) => id === member_id)?.name ?? "";
