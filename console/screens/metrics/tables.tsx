import { cachedText, countText, moneyText } from "../../parts/amounts.ts";
import { ariaSort, SortButton } from "../../parts/list/sort-button.tsx";
import type { Sorting } from "../../parts/list/sorting.ts";
import { Card } from "../../parts/page.tsx";
import { Empty } from "../../parts/state.tsx";
import { costOf, type Day, type ModelSum, modelSums, runsOf, type Share } from "./days.ts";

const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });

export type Column<Row> = {
  readonly head: string;
  readonly text: (row: Row) => string;
  readonly className?: string;
  /** What rows are sorted by when the reader presses the head; undefined for rows without a value. */
  readonly sortOf?: (row: Row) => number | undefined;
};
type SumTableProps<Row> = {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What a row is about, before its numbers. */
  readonly names: readonly Column<Row>[];
  readonly numbers: readonly Column<Row>[];
  readonly sorting?: Sorting | undefined;
  /** Called with the order that follows, as in an address; without it no head can be pressed. */
  readonly onSort?: (sorting: string) => void;
};

/** Rows with names and numbers. */
export function SumTable<Row>(props: SumTableProps<Row>) {
  const { title, rows, keyOf, names, numbers, sorting, onSort } = props;
  const columns = [...names, ...numbers.map((one) => ({ ...one, className: "end" }))];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach
    <section className="scroll-x" tabIndex={0} aria-label={title}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ head, className, sortOf }) => (
              <th
                key={head}
                scope="col"
                className={className === "end" ? className : undefined}
                aria-sort={sortOf && onSort && ariaSort(sorting, head)}
              >
                {sortOf && onSort ? (
                  <SortButton by={head} sorting={sorting} onSort={onSort}>
                    {head}
                  </SortButton>
                ) : (
                  head
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ head, text, className }) => (
                <td key={head} className={className}>
                  {text(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const modelNames: readonly Column<ModelSum>[] = [
  { head: "Model", text: ({ model }) => model },
  { head: "Provider", text: ({ provider }) => provider, className: "soft" },
];
const modelNumbers: readonly Column<ModelSum>[] = [
  { head: "Runs", text: ({ calls }) => countText(calls) },
  { head: "Tokens in", text: ({ tokensIn }) => countText(tokensIn) },
  { head: "Tokens out", text: ({ tokensOut }) => countText(tokensOut) },
  { head: "Cost", text: ({ cost }) => moneyText(cost) },
];

/** Totals of each model in the range. */
export function ModelTable({ days }: { readonly days: readonly Day[] }) {
  const rows = modelSums(days);
  if (rows.length === 0) return null;
  const keyOf = ({ provider, model }: ModelSum) => `${provider}/${model}`;
  return (
    <Card title="Models" flush>
      <SumTable title="Models" rows={rows} keyOf={keyOf} names={modelNames} numbers={modelNumbers} />
    </Card>
  );
}

const sessionsOf = (day: Day): number =>
  day.agent_sessions_count + day.team_sessions_count + day.workflow_sessions_count;

const dayNames: readonly Column<Day>[] = [
  { head: "Day", text: (day) => date.format(new Date(day.date)), className: "no-wrap" },
];
const dayNumbers: readonly Column<Day>[] = [
  { head: "Runs", text: (day) => countText(runsOf(day)) },
  { head: "Agents", text: (day) => countText(day.agent_runs_count) },
  { head: "Teams", text: (day) => countText(day.team_runs_count) },
  { head: "Workflows", text: (day) => countText(day.workflow_runs_count) },
  { head: "Sessions", text: (day) => countText(sessionsOf(day)) },
  { head: "Users", text: (day) => countText(day.users_count) },
  { head: "Tokens in", text: (day) => countText(day.token_metrics.input_tokens) },
  {
    head: "From cache",
    text: ({ token_metrics: { input_tokens, cache_read_tokens } }) =>
      cachedText(input_tokens, cache_read_tokens) ?? "–",
  },
  { head: "Tokens out", text: (day) => countText(day.token_metrics.output_tokens) },
  { head: "Cost", text: (day) => moneyText(costOf(day)) },
];

/** Daily totals, the latest first. */
export function DayTable({ days }: { readonly days: readonly Day[] }) {
  const latest = [...days].sort((a, b) => b.date.localeCompare(a.date));
  return (
    <Card title="Days" flush>
      {latest.length === 0 ? (
        <Empty title="Nothing ran in these days">
          <p>Choose a longer range, or run an agent.</p>
        </Empty>
      ) : (
        <SumTable title="Days" rows={latest} keyOf={({ id }) => id} names={dayNames} numbers={dayNumbers} />
      )}
    </Card>
  );
}

const shareNumbers: readonly Column<Share>[] = [
  { head: "Runs", text: ({ runs }) => countText(runs) },
  { head: "Tokens", text: ({ tokens }) => countText(tokens) },
  { head: "Cost", text: ({ cost }) => moneyText(cost) },
];

type ShareProps = { readonly title: string; readonly head: string; readonly rows: readonly Share[] };

/** Who used what in the range, the most first. */
export function ShareTable({ title, head, rows }: ShareProps) {
  if (rows.length === 0) return null;
  const names = [{ head, text: ({ name }: Share) => name }];
  return (
    <Card title={title} flush>
      <SumTable title={title} rows={rows} keyOf={({ name }) => name} names={names} numbers={shareNumbers} />
    </Card>
  );
}
