import type { DayFigures, ModelMetrics, TokenMetrics } from "../../schemas/traces/metrics.ts";

export type Kind = "agent" | "team" | "workflow";

/** A session of the day, with the sums over its ended runs. */
export type CountedSession = {
  readonly type: Kind;
  readonly user_id: string | null;
  readonly tokens: Partial<TokenMetrics>;
};

/** A run that is stored in a session. */
export type CountedRun = {
  /** Absent for workflows, and for runs that have not called a model yet. */
  readonly model?: { readonly id: string; readonly provider: string };
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Dollars. */
  readonly cost: number | undefined;
};

/** Sums up one day. It keeps one entry for each user and each model, however many sessions and runs there are. */
export type DayCount = {
  /** @param runs  all runs stored in the session: those of members and steps count as runs of the session's kind */
  readonly add: (session: CountedSession, runs: readonly CountedRun[]) => void;
  readonly figures: () => DayFigures;
};

/** Floating-point sums of dollars depend on their order; sums of whole billionths do not. */
const NANOS = 1_000_000_000;

const noTokens: TokenMetrics = {
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  audio_total_tokens: 0,
  audio_input_tokens: 0,
  audio_output_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
};

type ModelSums = Omit<ModelMetrics, "cost"> & { readonly nanos: number | undefined };

/**
 * The same sessions in any order give the same figures.
 *
 * @source contract, metrics A.3
 */
export function createDayCount(): DayCount {
  const sessions = { agent: 0, team: 0, workflow: 0 };
  const runs = { agent: 0, team: 0, workflow: 0 };
  const users = new Set<string>();
  const models = new Map<string, ModelSums>();
  let tokens = noTokens;
  return {
    add(session, sessionRuns) {
      sessions[session.type] += 1;
      runs[session.type] += sessionRuns.length;
      if (session.user_id) users.add(session.user_id);
      tokens = withTokens(tokens, session.tokens);
      for (const run of sessionRuns) addToModel(models, run);
    },
    figures() {
      const model_metrics = [...models.values()].sort(byModel).map(inDollars);
      const nanos = [...models.values()].flatMap((model) => model.nanos ?? []);
      return {
        agent_sessions_count: sessions.agent,
        team_sessions_count: sessions.team,
        workflow_sessions_count: sessions.workflow,
        agent_runs_count: runs.agent,
        team_runs_count: runs.team,
        workflow_runs_count: runs.workflow,
        users_count: users.size,
        token_metrics: tokens,
        model_metrics,
        ...(nanos.length > 0 && { cost: nanos.reduce((sum, one) => sum + one, 0) / NANOS }),
      };
    },
  };
}

function withTokens(sums: TokenMetrics, more: Partial<TokenMetrics>): TokenMetrics {
  const names = Object.keys(noTokens) as (keyof TokenMetrics)[]; // keys of a constant table
  const added = names.map((name) => [name, sums[name] + (more[name] ?? 0)]);
  return Object.fromEntries(added) as TokenMetrics; // one entry for each of its keys
}

function addToModel(models: Map<string, ModelSums>, { model, ...run }: CountedRun): void {
  if (!model) return;
  const key = JSON.stringify([model.provider, model.id]);
  const before = models.get(key);
  const nanos = run.cost === undefined ? undefined : Math.round(run.cost * NANOS);
  models.set(key, {
    model_id: model.id,
    model_provider: model.provider,
    count: (before?.count ?? 0) + 1,
    input_tokens: (before?.input_tokens ?? 0) + run.input_tokens,
    output_tokens: (before?.output_tokens ?? 0) + run.output_tokens,
    total_tokens: (before?.total_tokens ?? 0) + run.input_tokens + run.output_tokens,
    nanos: nanos === undefined ? before?.nanos : (before?.nanos ?? 0) + nanos,
  });
}

/** The most used first. */
const byModel = (a: ModelSums, b: ModelSums): number =>
  b.count - a.count || (`${a.model_provider} ${a.model_id}` < `${b.model_provider} ${b.model_id}` ? -1 : 1);

const inDollars = ({ nanos, ...sums }: ModelSums): ModelMetrics => ({
  ...sums,
  ...(nanos !== undefined && { cost: nanos / NANOS }),
});
