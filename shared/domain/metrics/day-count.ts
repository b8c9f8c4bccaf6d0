import type {
  DayFigures,
  EvaluationMetrics,
  ModelMetrics,
  TokenMetrics,
} from "../../schemas/traces/metrics.ts";
import {
  addGroup,
  addRunToGroups,
  type Group,
  type GroupedRun,
  type Groups,
  largestGroups,
} from "./day-groups.ts";
import { addFeedback, type FeedbackByKey, type FeedbackSums, mostUsedKeys } from "./judgments.ts";
import {
  addNanos,
  addUsageSums,
  inDollars,
  nanosOf,
  noShares,
  noUsageSums,
  type Shares,
  shownShares,
  type UsageSums,
  type Used,
  withShares,
} from "./usage-sums.ts";

export type Kind = "agent" | "team" | "workflow";

/** A session of the day, with the sums over its ended runs. */
export type CountedSession = {
  readonly type: Kind;
  readonly user_id: string | null;
  readonly tokens: Partial<TokenMetrics>;
};

/** A run that is stored in a session. No model is known of workflows, and of runs that have not called one yet. */
export type CountedRun = GroupedRun & { readonly component: { readonly type: Kind; readonly id: string } };

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

/** What of a day does not grow with its sessions. */
export type DaySums = {
  readonly sessions: Readonly<Record<Kind, number>>;
  readonly runs: Readonly<Record<Kind, number>>;
  readonly tokens: TokenMetrics;
  readonly judged: EvaluationSums;
};

export type ModelSums = Omit<ModelMetrics, "cost"> & { readonly nanos: number | undefined };
export type ComponentKey = { readonly component_type: Kind | null; readonly component_id: string | null };
export type UserKey = { readonly user_id: string | null };

/** One entry for each model, component, user and key of feedback; a user whose sessions have no runs has an entry too. */
export type DayEntries = {
  readonly models: readonly ModelSums[];
  readonly components: readonly Used<ComponentKey>[];
  readonly users: readonly Used<UserKey>[];
  readonly groups: readonly Group[];
  readonly feedback: readonly FeedbackSums[];
};

/** What a part of a day comes to. */
export type DaySlice = { readonly sums: DaySums; readonly entries: DayEntries };

/** Sums up a part of a day, or all of it. It keeps one entry for each user, component and model. */
export type DayCount = {
  /** @param runs  all runs stored in the session: those of members and steps count as runs of the session's kind */
  readonly add: (session: CountedSession, runs: readonly CountedRun[]) => void;
  readonly addEvaluation: (evaluation: CountedEval) => void;
  readonly slice: () => DaySlice;
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

export function createDayCount(): DayCount {
  const sessions = { agent: 0, team: 0, workflow: 0 };
  const runs = { agent: 0, team: 0, workflow: 0 };
  const models = new Map<string, ModelSums>();
  const components = new Map<string, Used<ComponentKey>>();
  const users = new Map<string, Used<UserKey>>();
  const groups: Groups = new Map();
  const feedback: FeedbackByKey = new Map();
  let judged = noEvaluations;
  let tokens = noTokens;
  return {
    add(session, sessionRuns) {
      sessions[session.type] += 1;
      runs[session.type] += sessionRuns.length;
      addUsed(users, { user_id: session.user_id }, noUsageSums);
      tokens = withTokens(tokens, session.tokens);
      for (const run of sessionRuns) {
        addToModel(models, run);
        const used = usedBy(run);
        const { type, id } = run.component;
        addUsed(components, { component_type: type, component_id: id }, used);
        addUsed(users, { user_id: session.user_id }, used);
        addRunToGroups(groups, session.user_id, run);
        if (run.judgment) addFeedback(feedback, run.judgment.feedback);
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
      addJudge(models, judge_model ?? UNKNOWN_MODEL, { input_tokens, output_tokens, nanos });
    },
    slice: () => ({
      sums: { sessions, runs, tokens, judged },
      entries: {
        models: [...models.values()],
        components: [...components.values()],
        users: [...users.values()],
        groups: [...groups.values()],
        feedback: [...feedback.values()],
      },
    }),
  };
}

/** A day that is put together from what its parts come to. */
export type DayTotal = {
  readonly addSums: (sums: DaySums) => void;
  /** @param parts  all that any part of the day has of some keys: no later call may name one of them again */
  readonly addEntries: (parts: Iterable<DayEntries>) => void;
  readonly figures: () => DayFigures;
  /** The same by version, tool and the like, with how long it took. */
  readonly groups: () => readonly Group[];
};

/**
 * Puts a day together. It keeps all entries of one call at a time, and of those before as many as are shown. The same sessions in any
 * order and in any parts give the same figures.
 *
 *   tokens of all models = tokens of the day = tokens of all components + of judges = of all users + of judges
 *
 * @source docs/interface/metrics.md 2.1
 */
export function createDayTotal(): DayTotal {
  let sums: DaySums | undefined;
  let components: Shares<ComponentKey> = noShares;
  let users: Shares<UserKey> = noShares;
  let users_count = 0;
  let groups: Group[] = [];
  let feedback: FeedbackSums[] = [];
  const models: ModelSums[] = [];
  return {
    addSums(more) {
      sums = sums ? addDaySums(sums, more) : more;
    },
    addEntries(parts) {
      const found = mergedEntries(parts);
      models.push(...found.models);
      groups = largestGroups(groups, found.groups);
      feedback = mostUsedKeys([...feedback, ...found.feedback]);
      components = withShares(components, found.components);
      users_count += found.users.filter(({ key }) => key.user_id).length;
      users = withShares(
        users,
        found.users.filter(({ runs }) => runs > 0),
      );
    },
    figures() {
      const { sessions, runs, tokens, judged } = sums ?? createDayCount().slice().sums;
      const nanos = models.flatMap((model) => model.nanos ?? []);
      return {
        agent_sessions_count: sessions.agent,
        team_sessions_count: sessions.team,
        workflow_sessions_count: sessions.workflow,
        agent_runs_count: runs.agent,
        team_runs_count: runs.team,
        workflow_runs_count: runs.workflow,
        users_count,
        token_metrics: tokens,
        model_metrics: models.toSorted(byModel).map(inDollars),
        ...inDollars({ nanos: nanos.length > 0 ? nanos.reduce((sum, one) => sum + one, 0) : undefined }),
        component_metrics: shownShares<ComponentKey>(components, {
          component_type: null,
          component_id: null,
        }),
        user_metrics: shownShares<UserKey>(users, { user_id: null }),
        evaluation_metrics: inDollars(judged),
        feedback_metrics: feedback,
      };
    },
    groups: () => groups,
  };
}

export const addDaySums = (a: DaySums, b: DaySums): DaySums => ({
  sessions: addKinds(a.sessions, b.sessions),
  runs: addKinds(a.runs, b.runs),
  tokens: withTokens(a.tokens, b.tokens),
  judged: addJudged(a.judged, b.judged),
});

const addKinds = (a: DaySums["runs"], b: DaySums["runs"]): DaySums["runs"] => ({
  agent: a.agent + b.agent,
  team: a.team + b.team,
  workflow: a.workflow + b.workflow,
});

function mergedEntries(parts: Iterable<DayEntries>): DayEntries {
  const models = new Map<string, ModelSums>();
  const components = new Map<string, Used<ComponentKey>>();
  const users = new Map<string, Used<UserKey>>();
  const groups: Groups = new Map();
  const feedback: FeedbackByKey = new Map();
  for (const part of parts) {
    for (const model of part.models) addModelSums(models, model);
    for (const { key, ...used } of part.components) addUsed(components, key, used);
    for (const { key, ...used } of part.users) addUsed(users, key, used);
    for (const group of part.groups) addGroup(groups, group);
    addFeedback(feedback, part.feedback);
  }
  return {
    models: [...models.values()],
    components: [...components.values()],
    users: [...users.values()],
    groups: [...groups.values()],
    feedback: [...feedback.values()],
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
  addModelSums(models, {
    ...named(model),
    count: 1,
    input_tokens,
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    nanos: nanosOf(cost),
  });
}

/** A judge whose model was not recorded. */
const UNKNOWN_MODEL = { id: "unknown", provider: "" };

function addJudge(
  models: Map<string, ModelSums>,
  model: { readonly id: string; readonly provider: string },
  { input_tokens, output_tokens, nanos }: Pick<ModelSums, "input_tokens" | "output_tokens" | "nanos">,
): void {
  const total_tokens = input_tokens + output_tokens;
  addModelSums(models, { ...named(model), count: 0, input_tokens, output_tokens, total_tokens, nanos });
}

const named = ({ id, provider }: { readonly id: string; readonly provider: string }) => ({
  model_id: id,
  model_provider: provider,
});

function addModelSums(models: Map<string, ModelSums>, more: ModelSums): void {
  const { model_id, model_provider } = more;
  const key = JSON.stringify([model_provider, model_id]);
  const before = models.get(key);
  models.set(key, {
    model_id,
    model_provider,
    count: (before?.count ?? 0) + more.count,
    input_tokens: (before?.input_tokens ?? 0) + more.input_tokens,
    output_tokens: (before?.output_tokens ?? 0) + more.output_tokens,
    total_tokens: (before?.total_tokens ?? 0) + more.total_tokens,
    nanos: addNanos(before?.nanos, more.nanos),
  });
}

const usedBy = ({ input_tokens, output_tokens, cost }: CountedRun): UsageSums => ({
  runs: 1,
  input_tokens,
  output_tokens,
  total_tokens: input_tokens + output_tokens,
  nanos: nanosOf(cost),
});

function addUsed<Key>(sums: Map<string, Used<Key>>, key: Key, used: UsageSums): void {
  const id = JSON.stringify(key);
  sums.set(id, { key, ...addUsageSums(sums.get(id) ?? noUsageSums, used) });
}

export type EvaluationSums = Omit<EvaluationMetrics, "cost"> & { readonly nanos: number | undefined };

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

const withEvaluation = (sums: EvaluationSums, one: CountedEval): EvaluationSums =>
  addJudged(sums, {
    evaluations: 1,
    online: Number(one.online !== undefined),
    online_passed: Number(one.online === "passed"),
    online_not_passed: Number(one.online === "not passed"),
    online_failed: Number(one.online === "failed"),
    judge_calls: one.calls,
    input_tokens: one.input_tokens,
    output_tokens: one.output_tokens,
    total_tokens: one.input_tokens + one.output_tokens,
    nanos: one.nanos,
  });

const addJudged = (a: EvaluationSums, b: EvaluationSums): EvaluationSums => ({
  evaluations: a.evaluations + b.evaluations,
  online: a.online + b.online,
  online_passed: a.online_passed + b.online_passed,
  online_not_passed: a.online_not_passed + b.online_not_passed,
  online_failed: a.online_failed + b.online_failed,
  judge_calls: a.judge_calls + b.judge_calls,
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  total_tokens: a.total_tokens + b.total_tokens,
  nanos: addNanos(a.nanos, b.nanos),
});

/** The most used first. */
const byModel = (a: ModelSums, b: ModelSums): number =>
  b.count - a.count || (`${a.model_provider} ${a.model_id}` < `${b.model_provider} ${b.model_id}` ? -1 : 1);
