import { useQuery } from "@tanstack/react-query";
import type { Operations } from "../../../client/index.ts";
import { budgets } from "../../api/queries.ts";
import { countText, moneyText } from "../../parts/amounts.ts";
import { Card } from "../../parts/page.tsx";

type Budget = Operations["getBudgets"]["answer"]["user"];

/** What was spent today of the daily budgets; nothing where there is none. */
export function Budgets() {
  const { data } = useQuery({ ...budgets, refetchInterval: 60_000 });
  const lines = data ? [...linesOf("You", data.user), ...linesOf("All users", data.deployment)] : [];
  if (lines.length === 0) return null;
  return (
    <Card title="Today's budget">
      <div className="amounts">
        {lines.map(({ name, text }) => (
          <div key={name}>
            <div className="amount-name">{name}</div>
            <div className="amount-value">{text}</div>
          </div>
        ))}
      </div>
    </Card>
  );
}

/** From this part of it on operators are notified, too. */
const NEAR = 0.8;

function linesOf(whose: string, budget: Budget | null) {
  if (budget === null) return [];
  const line = (name: string, { used, limit }: Budget["cost"], textOf: (amount: number) => string) =>
    limit === null
      ? []
      : [
          {
            name: `${whose}, ${name}${used >= NEAR * limit ? ": nearly spent" : ""}`,
            text: `${textOf(used)} of ${textOf(limit)}`,
          },
        ];
  return [...line("dollars", budget.cost, moneyText), ...line("tokens", budget.tokens, countText)];
}
