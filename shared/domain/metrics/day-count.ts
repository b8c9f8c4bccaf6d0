import type {
  DayFigures,
  EvaluationMetrics,
  ModelMetrics,
  TokenMetrics,
} from "../../schemas/traces/metrics.ts";
import {
  addNanos,
  addUsageSums,
  inDollars,
  nanosOf,
  noUsageSums,
  shares,
  type UsageSums,
} from "./usage-sums.ts";

export type Kind = "agent" | "team" | "workflow";

/** A session of the day, with the sums over its ended runs. */
export type CountedSession = {
  readonly type: Kind;
  readonly user_id: string | null;
  readonly tokens: Partial<TokenMetrics>;
};

/** A run that is stored in a session. */
export type CountedRun = {
  readonly component: { readonly type: Kind; readonly id: string };
  /** Absent for workflows, and for runs that have not called a model yet. */
  readonly model?: { readonly id: string; readonly provider: string };
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Dollars. */
  readonly cost: number | undefined;
};

/** An evaluation of the day, with what its judges have used. */
export type CountedEval = {
  readonly online: "open" | "passed" | "not passed" | "failed" | undefined;
  readonly judge_model: { readonly id: string; readonly provider: string } | undefined;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** Billionths of a dollar. */
  readonly nanos: number | undefined;
};

/**
 * Sums up one day. It keeps one entry for each user, component and model, however many sessions and runs there are.
 *
 *   tokens of all models = tokens of the day = tokens of all components + of judges = of all users + of judges
 */
export type DayCount = {
  /** @param runs  all runs stored in the session: those of members and steps count as runs of the session's kind */
  readonly add: (session: CountedSession, runs: readonly CountedRun[]) => void;
  readonly addEvaluation: (evaluation: CountedEval) => void;
  readonly figures: () => DayFigures;
};

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
 * @source docs/interface/metrics.md 2.1
 */
export function createDayCount(): DayCount {
  const sessions = { agent: 0, team: 0, workflow: 0 };
  const runs = { agent: 0, team: 0, workflow: 0 };
  const users = new Set<string>();
  const models = new Map<string, ModelSums>();
  const components = new Map<string, UsageSums & { readonly key: ComponentKey }>();
  const byUser = new Map<string, UsageSums & { readonly key: UserKey }>();
  let judged = noEvaluations;
  let tokens = noTokens;
  return {
    add(session, sessionRuns) {
      sessions[session.type] += 1;
      runs[session.type] += sessionRuns.length;
      if (session.user_id) users.add(session.user_id);
      tokens = withTokens(tokens, session.tokens);
      for (const run of sessionRuns) {
        addToModel(models, run);
        const used = usedBy(run);
        const { type, id } = run.component;
        add(components, { component_type: type, component_id: id }, used);
        add(byUser, { user_id: session.user_id }, used);
      }
    },
    addEvaluation(evaluation) {
      judged = withEvaluation(judged, evaluation);
      const { calls, judge_model, nanos, input_tokens, output_tokens } = evaluation;
      if (calls === 0) return;
      tokens = withTokens(tokens, {
        input_tokens,
        output_tokens,
        total_tokens: input_tokens + output_tokens,
      });
      addSums(models, judge_model ?? UNKNOWN_MODEL, { count: 0, input_tokens, output_tokens, nanos });
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
        ...inDollars({ nanos: nanos.length > 0 ? nanos.reduce((sum, one) => sum + one, 0) : undefined }),
        component_metrics: shares<ComponentKey>(components, { component_type: null, component_id: null }),
        user_metrics: shares<UserKey>(byUser, { user_id: null }),
        evaluation_metrics: inDollars(judged),
      };
    },
  };
}

function withTokens(sums: TokenMetrics, more: Partial<TokenMetrics>): TokenMetrics {
  const names = Object.keys(noTokens) as (keyof TokenMetrics)[]; // keys of a constant table
  const added = names.map((name) => [name, sums[name] + (more[name] ?? 0)]);
  return Object.fromEntries(added) as TokenMetrics; // one entry for each of its keys
}

function addToModel(models: Map<string, ModelSums>, { model, cost, ...run }: CountedRun): void {
  if (!model) return;
  const { input_tokens, output_tokens } = run;
  addSums(models, model, { count: 1, input_tokens, output_tokens, nanos: nanosOf(cost) });
}

/** A judge whose model was not recorded. */
const UNKNOWN_MODEL = { id: "unknown", provider: "" };

function addSums(
  models: Map<string, ModelSums>,
  { id, provider }: { readonly id: string; readonly provider: string },
  more: Pick<ModelSums, "count" | "input_tokens" | "output_tokens" | "nanos">,
): void {
  const key = JSON.stringify([provider, id]);
  const before = models.get(key);
  models.set(key, {
    model_id: id,
    model_provider: provider,
    count: (before?.count ?? 0) + more.count,
    input_tokens: (before?.input_tokens ?? 0) + more.input_tokens,
    output_tokens: (before?.output_tokens ?? 0) + more.output_tokens,
    total_tokens: (before?.total_tokens ?? 0) + more.input_tokens + more.output_tokens,
    nanos: addNanos(before?.nanos, more.nanos),
  });
}

type ComponentKey = { readonly component_type: Kind | null; readonly component_id: string | null };
type UserKey = { readonly user_id: string | null };

const usedBy = ({ input_tokens, output_tokens, cost }: CountedRun): UsageSums => ({
  runs: 1,
  input_tokens,
  output_tokens,
  total_tokens: input_tokens + output_tokens,
  nanos: nanosOf(cost),
});

function add<Key>(sums: Map<string, UsageSums & { readonly key: Key }>, key: Key, used: UsageSums): void {
  const id = JSON.stringify(key);
  sums.set(id, { key, ...addUsageSums(sums.get(id) ?? noUsageSums, used) });
}

type EvaluationSums = Omit<EvaluationMetrics, "cost"> & { readonly nanos: number | undefined };

const noEvaluations: EvaluationSums = {
  evaluations: 0,
  online: 0,
  online_passed: 0,
  online_not_passed: 0,
  online_failed: 0,
  judge_calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  total_tokens: 0,
  nanos: undefined,
};

const withEvaluation = (sums: EvaluationSums, one: CountedEval): EvaluationSums => ({
  evaluations: sums.evaluations + 1,
  online: sums.online + Number(one.online !== undefined),
  online_passed: sums.online_passed + Number(one.online === "passed"),
  online_not_passed: sums.online_not_passed + Number(one.online === "not passed"),
  online_failed: sums.online_failed + Number(one.online === "failed"),
  judge_calls: sums.judge_calls + one.calls,
  input_tokens: sums.input_tokens + one.input_tokens,
  output_tokens: sums.output_tokens + one.output_tokens,
  total_tokens: sums.total_tokens + one.input_tokens + one.output_tokens,
  nanos: addNanos(sums.nanos, one.nanos),
});

/** The most used first. */
const byModel = (a: ModelSums, b: ModelSums): number =>
  b.count - a.count || (`${a.model_provider} ${a.model_id}` < `${b.model_provider} ${b.model_id}` ? -1 : 1);
