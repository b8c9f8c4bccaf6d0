import { addJudgments, type Judgment, type JudgmentSums, judgmentSums } from "./judgments.ts";
import { addHistograms, type Histogram, oneValue } from "./log-buckets.ts";
import { addNanos, nanosOf } from "./usage-sums.ts";

/** What runs of a day are grouped by. A component is the sum of its versions. */
export const groupings = ["version", "model", "tool", "user"] as const;
export type Grouping = (typeof groupings)[number];

/** The sums of the runs of a group; of a tool, of its calls. */
export type GroupSums = {
  readonly runs: number;
  readonly errors: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens: number;
  /** Billionths of a dollar; undefined where no price is known. */
  readonly nanos: number | undefined;
  readonly calls: number;
  readonly call_errors: number;
  /** How long the runs were executed, or how long the calls of a tool took. */
  readonly took: Histogram;
  /** How its runs were judged; absent where none was. */
  readonly judgments?: JudgmentSums | undefined;
};

/**
 * `version`: type and id of the component, and its version or null; `model`: provider and id; `tool`: its name; `user`: the id
 * or null. Empty for all that are not shown one by one.
 */
export type GroupKey = readonly (string | number | null)[];
export type Group = GroupSums & { readonly by: Grouping; readonly key: GroupKey };

/** A call of a tool. */
export type CountedCall = {
  readonly tool: string;
  readonly failed: boolean;
  /** Of its execution, without the wait for a person. */
  readonly seconds: number | undefined;
};

/** A run as its groups count it. */
export type GroupedRun = {
  readonly component: { readonly type: string; readonly id: string };
  readonly version?: number | undefined;
  readonly model?: { readonly id: string; readonly provider: string } | undefined;
  readonly failed?: boolean | undefined;
  /** Of its execution. */
  readonly seconds?: number | undefined;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_tokens?: number | undefined;
  /** Dollars. */
  readonly cost: number | undefined;
  readonly calls?: readonly CountedCall[] | undefined;
  readonly judgment?: Judgment | undefined;
};

export const noGroupSums: GroupSums = {
  runs: 0,
  errors: 0,
  input_tokens: 0,
  output_tokens: 0,
  cache_read_tokens: 0,
  nanos: undefined,
  calls: 0,
  call_errors: 0,
  took: {},
};

export const addGroupSums = (a: GroupSums, b: GroupSums): GroupSums => ({
  runs: a.runs + b.runs,
  errors: a.errors + b.errors,
  input_tokens: a.input_tokens + b.input_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  cache_read_tokens: a.cache_read_tokens + b.cache_read_tokens,
  nanos: addNanos(a.nanos, b.nanos),
  calls: a.calls + b.calls,
  call_errors: a.call_errors + b.call_errors,
  took: addHistograms(a.took, b.took),
  judgments: addJudgments(a.judgments, b.judgments),
});

/** Groups by what they are of. */
export type Groups = Map<string, Group>;

export function addGroup(groups: Groups, { by, key, ...sums }: Group): void {
  const id = JSON.stringify([by, key]);
  groups.set(id, { by, key, ...addGroupSums(groups.get(id) ?? noGroupSums, sums) });
}

/** Counts a run in each group that it belongs to. */
export function addRunToGroups(groups: Groups, user: string | null, run: GroupedRun): void {
  const { component, version, model, calls = [], seconds } = run;
  const sums: GroupSums = {
    runs: 1,
    errors: run.failed ? 1 : 0,
    input_tokens: run.input_tokens,
    output_tokens: run.output_tokens,
    cache_read_tokens: run.cache_read_tokens ?? 0,
    nanos: nanosOf(run.cost),
    calls: calls.length,
    call_errors: calls.filter(({ failed }) => failed).length,
    took: seconds === undefined ? {} : oneValue(seconds),
    judgments: judgmentSums(run.judgment),
  };
  addGroup(groups, { by: "version", key: [component.type, component.id, version ?? null], ...sums });
  addGroup(groups, { by: "user", key: [user], ...sums });
  if (model) addGroup(groups, { by: "model", key: [model.provider, model.id], ...sums });
  const tools = new Set<string>();
  for (const { tool, failed, seconds: took } of calls) {
    // A run that calls a tool twice is one run of it.
    const isFirst = !tools.has(tool);
    addGroup(groups, {
      ...noGroupSums,
      by: "tool",
      key: [tool],
      runs: isFirst ? 1 : 0,
      ...(isFirst && { judgments: sums.judgments }),
      calls: 1,
      call_errors: failed ? 1 : 0,
      took: took === undefined ? {} : oneValue(took),
    });
    tools.add(tool);
  }
}

/** Groups of one kind that a day keeps one by one: a day is one item, which must not outgrow its table's limit. */
const MOST_GROUPS = 200;

/**
 * The largest of each kind, and the others together. No key may be given twice.
 *
 * @param before  what this gave for others
 */
export function largestGroups(before: readonly Group[], more: Iterable<Group>): Group[] {
  const all = [...before, ...more];
  return groupings.flatMap((by) => {
    const own = all.filter((group) => group.by === by);
    const shown = own.filter(({ key }) => key.length > 0).sort(bySize);
    const rest = [...shown.slice(MOST_GROUPS), ...own.filter(({ key }) => key.length === 0)];
    const others = rest.length === 0 ? [] : [{ by, key: [], ...rest.reduce(addGroupSums, noGroupSums) }];
    return [...shown.slice(0, MOST_GROUPS), ...others];
  });
}

const bySize = (a: Group, b: Group): number =>
  b.runs - a.runs || b.calls - a.calls || (JSON.stringify(a.key) < JSON.stringify(b.key) ? -1 : 1);
