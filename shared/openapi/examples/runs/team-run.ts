import type { RunOutput } from "../../../schemas/runs/run.ts";
import type { TeamRunRow } from "../../../schemas/runs/run-row.ts";
import { frames } from "../frames.ts";
import { pathExamples } from "../path-examples.ts";
import { completedRun, conversationRow, created_at } from "./agent-run.ts";

const { run_id, session_id } = pathExamples;
const { agent_id: _, agent_name: __, ...ofAnyRun } = completedRun;
const team = { team_id: "support-team", team_name: "Support team" };

export const teamRun: RunOutput = {
  ...ofAnyRun,
  ...team,
  member_responses: [
    {
      run_id: "0191f3a2-4e11-7d33-8a6c-7e6f5d4c3b2a",
      session_id,
      parent_run_id: run_id,
      agent_id: "librarian",
      agent_name: "Librarian",
      input: { input_content: "What time is it in Oslo?" },
      content: "10:15",
      content_type: "str",
      created_at,
      status: "COMPLETED",
    },
  ],
};

const base = { created_at, run_id, session_id, ...team, nested_depth: 0 };

export const teamRow: TeamRunRow = { ...conversationRow, team_id: team.team_id };

export const teamRunStream = frames(
  { event: "TeamRunStarted", ...base, event_index: 0, model: "demo", model_provider: "scripted" },
  {
    event: "TeamRunCompleted",
    ...{ ...base, event_index: 1 },
    content: "It is 10:15 in Oslo.",
    content_type: "str",
  },
);
