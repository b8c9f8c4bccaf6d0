import { countText, moneyText } from "../../parts/amounts.ts";
import { Card } from "../../parts/page.tsx";
import { Empty } from "../../parts/state.tsx";
import { costOf, type Day, modelSums, runsOf, type Share } from "./days.ts";

const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });

/** What each model came to in the range. */
export function ModelTable({ days }: { readonly days: readonly Day[] }) {
  const sums = modelSums(days);
  if (sums.length === 0) return null;
  return (
    <Card title="Models" flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach */}
      <section className="scroll-x" tabIndex={0} aria-label="Models">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Provider</th>
              <th scope="col" className="end">
                Runs
              </th>
              <th scope="col" className="end">
                Tokens in
              </th>
              <th scope="col" className="end">
                Tokens out
              </th>
              <th scope="col" className="end">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {sums.map(({ model, provider, calls, tokensIn, tokensOut, cost }) => (
              <tr key={`${provider}/${model}`}>
                <td>{model}</td>
                <td className="soft">{provider}</td>
                <td className="end">{countText(calls)}</td>
                <td className="end">{countText(tokensIn)}</td>
                <td className="end">{countText(tokensOut)}</td>
                <td className="end">{moneyText(cost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}

/** What each day came to, the latest first. */
export function DayTable({ days }: { readonly days: readonly Day[] }) {
  const latest = [...days].sort((a, b) => b.date.localeCompare(a.date));
  return (
    <Card title="Days" flush>
      {latest.length === 0 ? (
        <Empty title="Nothing ran in these days">
          <p>Take a longer range, or let an agent do something.</p>
        </Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach
        <section className="scroll-x" tabIndex={0} aria-label="Days">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Day</th>
                {[
                  "Runs",
                  "Agents",
                  "Teams",
                  "Workflows",
                  "Sessions",
                  "Users",
                  "Tokens in",
                  "Tokens out",
                  "Cost",
                ].map((title) => (
                  <th key={title} scope="col" className="end">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {latest.map((day) => (
                <tr key={day.id}>
                  <td className="no-wrap">{date.format(new Date(day.date))}</td>
                  <td className="end">{countText(runsOf(day))}</td>
                  <td className="end">{countText(day.agent_runs_count)}</td>
                  <td className="end">{countText(day.team_runs_count)}</td>
                  <td className="end">{countText(day.workflow_runs_count)}</td>
                  <td className="end">
                    {countText(
                      day.agent_sessions_count + day.team_sessions_count + day.workflow_sessions_count,
                    )}
                  </td>
                  <td className="end">{countText(day.users_count)}</td>
                  <td className="end">{countText(day.token_metrics.input_tokens)}</td>
                  <td className="end">{countText(day.token_metrics.output_tokens)}</td>
                  <td className="end">{moneyText(costOf(day))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  );
}

type ShareProps = { readonly title: string; readonly head: string; readonly rows: readonly Share[] };

/** Who used what in the range, the most first. */
export function ShareTable({ title, head, rows }: ShareProps) {
  if (rows.length === 0) return null;
  return (
    <Card title={title} flush>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach */}
      <section className="scroll-x" tabIndex={0} aria-label={title}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{head}</th>
              {["Runs", "Tokens", "Cost"].map((name) => (
                <th key={name} scope="col" className="end">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, runs, tokens, cost }) => (
              <tr key={name}>
                <td>{name}</td>
                <td className="end">{countText(runs)}</td>
                <td className="end">{countText(tokens)}</td>
                <td className="end">{moneyText(cost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  );
}
