import type { Operations, RunOutput } from "../../client/index.ts";
import { platform } from "./platform.ts";

export type Kind = "agent" | "team" | "workflow";
/** What is stored in versions: what can be run, and skills. */
export type StoredKind = Kind | "skill";
export const kinds: readonly Kind[] = ["agent", "team", "workflow"];
export const pluralOf = { agent: "agents", team: "teams", workflow: "workflows" } as const;

export const kindChoices = [
  { id: "", text: "All kinds" },
  { id: "agent", text: "Agents" },
  { id: "team", text: "Teams" },
  { id: "workflow", text: "Workflows" },
];

/** A run, wherever it is. */
export type RunPlace = {
  readonly kind: Kind;
  readonly component: string;
  readonly session: string;
  readonly run: string;
};

export type Run =
  | Operations["getAgentRun"]["answer"]
  | Operations["getTeamRun"]["answer"]
  | Operations["getWorkflowRun"]["answer"];

/** A run as lists of a session's runs show it. */
export type RunRow =
  | Operations["listAgentRuns"]["answer"][number]
  | Operations["listTeamRuns"]["answer"][number]
  | Operations["listWorkflowRuns"]["answer"][number];

/** What a run was asked, as text. */
export function inputOf(run: Run): string {
  if ("step_results" in run) return typeof run.input === "string" ? run.input : JSON.stringify(run.input);
  return run.input.input_content;
}

/** What a run used, with all runs within it. Records of an earlier release have their own alone. */
export const totalOf = ({ metrics, total_metrics }: Run): NonNullable<RunOutput["total_metrics"]> =>
  total_metrics ?? metrics ?? {};

/** Address of a run's page. */
export const runPath = ({ kind, component, session, run }: RunPlace): string =>
  `/runs/${[kind, component, session, run].map(encodeURIComponent).join("/")}`;

/** Names a run beside another one of its component: `<session>/<run>`, the session encoded once. */
export const besideOf = (session: string, run: string): string => `${encodeURIComponent(session)}/${run}`;

/** Address of a run's page beside another run. @param other  as `besideOf` names it */
export const comparisonPath = (place: RunPlace, other: string): string =>
  `${runPath(place)}?with=${encodeURIComponent(other)}`;

/** The operations of a kind's runs, by the same names for all three. */
export function runsOf(kind: Kind, id: string) {
  const agent = { agent_id: id };
  const team = { team_id: id };
  const workflow = { workflow_id: id };
  return {
    get: (run_id: string, session_id: string): Promise<Run> =>
      kind === "agent"
        ? platform.getAgentRun({ path: { ...agent, run_id }, query: { session_id } })
        : kind === "team"
          ? platform.getTeamRun({ path: { ...team, run_id }, query: { session_id } })
          : platform.getWorkflowRun({ path: { ...workflow, run_id }, query: { session_id } }),
    cancel: (run_id: string, session_id: string) =>
      kind === "agent"
        ? platform.cancelAgentRun({ path: { ...agent, run_id }, query: { session_id } })
        : kind === "team"
          ? platform.cancelTeamRun({ path: { ...team, run_id }, query: { session_id } })
          : platform.cancelWorkflowRun({ path: { ...workflow, run_id }, query: { session_id } }),
  };
}

/** The runs of a session, the oldest first. */
export function sessionRunsOf(kind: Kind, id: string, session_id: string): Promise<readonly RunRow[]> {
  const query = { session_id };
  if (kind === "agent") return platform.listAgentRuns({ path: { agent_id: id }, query });
  if (kind === "team") return platform.listTeamRuns({ path: { team_id: id }, query });
  return platform.listWorkflowRuns({ path: { workflow_id: id }, query });
}

/** Why a run failed, for people. */
export function errorText({
  error,
  content,
}: {
  readonly error?: string | undefined;
  readonly content?: unknown;
}): string {
  if (error !== undefined) return error;
  return typeof content === "string"
    ? content
    : JSON.stringify(content ?? "The run failed without an error text.");
}
