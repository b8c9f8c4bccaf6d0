/** How a run was judged. */
export type Judgment = {
  /** By feedback, of each key: how much there is, and the sum of its scores. */
  readonly feedback: readonly FeedbackSums[];
  readonly thumbs_up: number;
  readonly thumbs_down: number;
  /** By the judge of its component; undefined where there was none, or where it gave no verdict. */
  readonly passed: boolean | undefined;
};

export type FeedbackSums = { readonly key: string; readonly count: number; readonly sum: number };

/** How some runs were judged: thumbs, and verdicts of judges. */
export type JudgmentSums = {
  readonly up: number;
  readonly down: number;
  readonly judged: number;
  readonly passed: number;
};

/** @returns undefined where it was judged by neither */
export function judgmentSums(of: Judgment | undefined): JudgmentSums | undefined {
  if (!of) return undefined;
  const { thumbs_up, thumbs_down, passed } = of;
  if (thumbs_up + thumbs_down === 0 && passed === undefined) return undefined;
  return {
    up: thumbs_up,
    down: thumbs_down,
    judged: passed === undefined ? 0 : 1,
    passed: passed === true ? 1 : 0,
  };
}

export const addJudgments = (
  a: JudgmentSums | undefined,
  b: JudgmentSums | undefined,
): JudgmentSums | undefined =>
  a && b
    ? { up: a.up + b.up, down: a.down + b.down, judged: a.judged + b.judged, passed: a.passed + b.passed }
    : (a ?? b);

/** Feedback by its key. */
export type FeedbackByKey = Map<string, FeedbackSums>;

export function addFeedback(byKey: FeedbackByKey, more: Iterable<FeedbackSums>): void {
  for (const { key, count, sum } of more) {
    const before = byKey.get(key);
    byKey.set(key, { key, count: (before?.count ?? 0) + count, sum: (before?.sum ?? 0) + sum });
  }
}

/** Keys that a day shows: users choose them, and a day is one item. */
const MOST_KEYS = 100;

/** Those that were used most. No key may be given twice. */
export const mostUsedKeys = (all: readonly FeedbackSums[]): FeedbackSums[] =>
  all.toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, MOST_KEYS);
