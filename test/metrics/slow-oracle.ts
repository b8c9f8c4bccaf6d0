import type { DayFigures } from "../../shared/schemas/traces/metrics.ts";
import type { Conversation } from "./metrics-world.ts";

const NANOS = 1_000_000_000;
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** The figures but for who used what, which have a test of their own. */
type BaseFigures = Omit<
  DayFigures,
  "component_metrics" | "user_metrics" | "evaluation_metrics" | "feedback_metrics"
>;

/** What a day comes to, counted from all conversations at once, figure by figure, in the plainest way. */
export function slowFigures(all: readonly Conversation[], day: string): BaseFigures | undefined {
  const its = all.filter(({ session }) => new Date(session.created_at * 1000).toISOString().startsWith(day));
  if (its.length === 0) return undefined;
  const sessionsOf = (type: string) => its.filter(({ session }) => session.session_type === type);
  const runsOf = (type: string) => sumOf(sessionsOf(type).map(({ runs }) => runs.length));
  const tokensOf = (name: "input_tokens" | "output_tokens" | "total_tokens" | "reasoning_tokens") =>
    sumOf(its.map(({ session }) => session[name] ?? 0));
  const runs = its.flatMap((one) => one.runs).filter(({ output }) => output.model !== undefined);
  const models = [...new Set(runs.map(({ output }) => output.model ?? ""))].map((model_id) => {
    const mine = runs.flatMap(({ output }) => (output.model === model_id ? [output.metrics ?? {}] : []));
    const input_tokens = sumOf(mine.map((metrics) => metrics.input_tokens ?? 0));
    const output_tokens = sumOf(mine.map((metrics) => metrics.output_tokens ?? 0));
    const costs = mine.flatMap(({ cost }) => cost ?? []);
    return {
      model_id,
      model_provider: "Acme",
      count: mine.length,
      input_tokens,
      output_tokens,
      total_tokens: input_tokens + output_tokens,
      ...(costs.length > 0 && { cost: sumOf(costs.map((cost) => Math.round(cost * NANOS))) / NANOS }),
    };
  });
  const costs = models.flatMap(({ cost }) => cost ?? []);
  return {
    agent_sessions_count: sessionsOf("agent").length,
    team_sessions_count: sessionsOf("team").length,
    workflow_sessions_count: sessionsOf("workflow").length,
    agent_runs_count: runsOf("agent"),
    team_runs_count: runsOf("team"),
    workflow_runs_count: runsOf("workflow"),
    users_count: new Set(its.flatMap(({ session }) => session.user_id ?? [])).size,
    token_metrics: {
      input_tokens: tokensOf("input_tokens"),
      output_tokens: tokensOf("output_tokens"),
      total_tokens: tokensOf("total_tokens"),
      audio_total_tokens: 0,
      audio_input_tokens: 0,
      audio_output_tokens: 0,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      reasoning_tokens: tokensOf("reasoning_tokens"),
    },
    model_metrics: models.sort((a, b) => b.count - a.count || (a.model_id < b.model_id ? -1 : 1)),
    ...(costs.length > 0 && { cost: sumOf(costs.map((cost) => Math.round(cost * NANOS))) / NANOS }),
  };
}
