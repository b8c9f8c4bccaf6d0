import { transcript } from "../prompt/transcript.ts";
import { hasEnded } from "../run/member-run.ts";
import type { MemberRun } from "../run/run-state.ts";
import { memberAnswer } from "./member-answer.ts";
import { dependencyResults } from "./tasks.ts";
import type { LeadScope } from "./team-tool.ts";

/** What a member gets beside its task; empty where its team shares nothing. */
export async function briefingFor(run: MemberRun, scope: LeadScope): Promise<string> {
  const { team } = scope;
  const parts = [
    team.add_team_history_to_members ? await teamHistory(scope) : "",
    team.share_member_interactions ? interactionsBefore(run, scope) : "",
    results(run, scope),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

async function teamHistory({ team, execution }: LeadScope): Promise<string> {
  const earlier =
    (await execution.ports.readChatHistory?.(team.num_team_history_runs ?? team.num_history_runs)) ?? [];
  return under("What the team and the user said before:", transcript(earlier));
}

/** The answers of other calls of the same run. Members that work concurrently do not see each other's. */
function interactionsBefore({ tool_call_id }: MemberRun, { team, batch }: LeadScope): string {
  const others = (batch.state().members ?? []).filter(
    (run) => run.tool_call_id !== tool_call_id && hasEnded(run),
  );
  const answers = others.map(
    (run) => `${run.member_id} was asked: ${run.task}\n${memberAnswer(run, team).text}`,
  );
  return under("What other members were asked and answered in this run:", answers.join("\n\n"));
}

const results = ({ run_id }: MemberRun, { batch }: LeadScope): string =>
  under("Results of the tasks that this one builds on:", dependencyResults(batch.state().tasks, run_id));

const under = (heading: string, text: string): string => (text === "" ? "" : `${heading}\n${text}`);
