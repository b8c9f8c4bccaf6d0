import { expect, test } from "vitest";
import { READ_RUNS, shownRuns } from "../../shared/domain/sessions/shown-runs.ts";

const message = (run: number, from_history: boolean) => ({ id: `m${run}`, from_history });
const run = (number: number, shown: readonly number[]) => ({
  number,
  messages: [...shown.map((earlier) => message(earlier, true)), message(number, false)],
});
const numbers = (runs: readonly { readonly number: number }[]) => runs.map(({ number }) => number);

test("the history of nine runs begins at the same run for three of them", () => {
  const runs: ReturnType<typeof run>[] = [];
  const shown = Array.from({ length: 12 }, (_, at) => {
    const earlier = numbers(shownRuns(runs.slice(-READ_RUNS)));
    runs.push(run(at + 1, earlier));
    return earlier;
  });
  expect(shown).toEqual([
    [],
    [1],
    [1, 2],
    [1, 2, 3],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5],
    [4, 5, 6],
    [4, 5, 6, 7],
    [4, 5, 6, 7, 8],
    [7, 8, 9],
    [7, 8, 9, 10],
    [7, 8, 9, 10, 11],
  ]);
});

test("a run that showed none of the runs before does not decide where the next one begins", () => {
  const runs = [1, 2, 3, 4].map((number) => run(number, []));
  expect(numbers(shownRuns(runs))).toEqual([2, 3, 4]);
  expect(shownRuns([])).toEqual([]);
});
