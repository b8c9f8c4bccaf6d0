import type { Operations } from "../../../client/index.ts";
import { countOf } from "../../parts/amounts.ts";
import { Card } from "../../parts/page.tsx";
import { durationText } from "../../parts/time.tsx";
import { scoreText } from "./outcome.ts";
import type { EvalType } from "./use-evaluations.ts";

type Compared = Operations["compareEvals"]["answer"];
type Case = Compared["cases"][number];

/** Beyond as many cases bars are no picture any more; those that differ most are drawn. */
const MOST_DRAWN = 40;

const shares = [
  ["worse", "worse"],
  ["better", "better"],
  ["same", "the same"],
  ["unfinished", "not over"],
] as const;

/** Two evaluations in one look: how many cases got better and worse, and the figures of each case beside each other. */
export function ComparisonChart({
  compared,
  type,
}: {
  readonly compared: Compared;
  readonly type: EvalType;
}) {
  const { counts, cases } = compared;
  const parts = shares.filter(([name]) => counts[name] > 0);
  const drawn = drawnCases(cases, type);
  const most = Math.max(...drawn.flatMap(({ mine, its }) => [mine ?? 0, its ?? 0]), 0);
  if (parts.length === 0) return null;
  return (
    <Card title="In one look">
      <div className="stack">
        <ul className="eval-shares" aria-label="What became of the cases">
          {parts.map(([name, words]) => (
            <li key={name} className={`eval-share eval-share-${name}`} style={{ flexGrow: counts[name] }}>
              <span className="small">
                {counts[name]} {words}
              </span>
            </li>
          ))}
        </ul>
        {most > 0 && (
          <ul className="eval-bars" aria-label="The figures of each case">
            {drawn.map(({ number, name, mine, its }) => (
              <li key={number}>
                <span className="small cut" title={name}>
                  {name}
                </span>
                <Bar of={mine} most={most} whose="This" text={valueText(type, mine)} />
                <Bar of={its} most={most} whose="Other" text={valueText(type, its)} />
              </li>
            ))}
          </ul>
        )}
        {cases.length > drawn.length && most > 0 && (
          <p className="small faint">{countOf(cases.length - drawn.length, "further case")} below.</p>
        )}
      </div>
    </Card>
  );
}

type BarProps = {
  readonly of: number | undefined;
  readonly most: number;
  readonly whose: "This" | "Other";
  readonly text: string;
};

const Bar = ({ of: value, most, whose, text }: BarProps) => (
  <span className="eval-bar">
    <span
      className={`eval-bar-fill eval-bar-${whose === "This" ? "mine" : "its"}`}
      style={{ width: `${((value ?? 0) / most) * 75}%` }}
      aria-hidden
    />
    <span className="small soft nowrap">
      {whose}: {text}
    </span>
  </span>
);

type Drawn = {
  readonly number: string;
  readonly name: string;
  readonly mine: number | undefined;
  readonly its: number | undefined;
};

function drawnCases(cases: readonly Case[], type: EvalType): readonly Drawn[] {
  const all = cases.map(({ name, input, first, second }, at) => ({
    number: `${at}`,
    name: name ?? input,
    mine: figureOf(second, type),
    its: figureOf(first, type),
  }));
  const known = all.filter(({ mine, its }) => mine !== undefined || its !== undefined);
  const distance = ({ mine = 0, its = 0 }: Drawn) => Math.abs(mine - its);
  return known.toSorted((a, b) => distance(b) - distance(a)).slice(0, MOST_DRAWN);
}

/** The figure by which a case is judged; none where it only passes or fails. */
function figureOf(one: Case["first"], type: EvalType): number | undefined {
  return (type === "performance" ? one?.avg_run_time : one?.score) ?? undefined;
}

function valueText(type: EvalType, value: number | undefined): string {
  if (value === undefined) return "none";
  return type === "performance" ? durationText(value) : scoreText(value);
}
