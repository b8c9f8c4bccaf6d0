import type { metricsRoutes } from "../../routes/metrics.ts";
import type { MetricsDay } from "../../schemas/traces/metrics.ts";
import type { ExamplesOf } from "./example.ts";

const tokens = { input_tokens: 1200, output_tokens: 700, total_tokens: 1900 };

const day: MetricsDay = {
  id: "2026-03-04",
  date: "2026-03-04T00:00:00Z",
  agent_sessions_count: 12,
  team_sessions_count: 1,
  workflow_sessions_count: 0,
  agent_runs_count: 40,
  team_runs_count: 2,
  workflow_runs_count: 0,
  users_count: 5,
  token_metrics: {
    ...tokens,
    audio_total_tokens: 0,
    audio_input_tokens: 0,
    audio_output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
    reasoning_tokens: 0,
  },
  model_metrics: [{ model_id: "demo", model_provider: "scripted", count: 42, ...tokens }],
  created_at: "2026-03-05T00:10:00Z",
  updated_at: "2026-03-05T00:10:00Z",
};
const goesOn = { status: "started" as const, message: "The refresh goes on in the background." };

export const metricsExamples: ExamplesOf<typeof metricsRoutes> = {
  getMetrics: {
    query: { starting_date: "2026-03-01", ending_date: "2026-03-04" },
    answer: { metrics: [day], updated_at: day.updated_at },
  },
  refreshMetrics: { answer: [day], further: { 202: goesOn } },
  getRefreshStatus: {
    answer: {
      status: "completed",
      started_at: "2026-03-05T00:10:00Z",
      finished_at: "2026-03-05T00:10:01Z",
      error: null,
    },
  },
};
