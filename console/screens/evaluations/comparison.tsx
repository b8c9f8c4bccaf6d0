import { X } from "lucide-react";
import { useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import type { EvalRun } from "../../../client/index.ts";
import { moneyText } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Card } from "../../parts/page.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { CaseResults, CaseVerdict, caseName, Labelled } from "./case-card.tsx";
import { ComparisonChart } from "./comparison-chart.tsx";
import { nameOf, outcomeOf, scoreText } from "./outcome.ts";
import {
  type EvalCase,
  type EvalType,
  useCases,
  useComparison,
  useEvaluation,
  useEvaluationList,
} from "./use-evaluations.ts";

/** Where two evaluations stand side by side. */
export const comparisonOf = (id: string, other: string): string =>
  `/evaluations/${encodeURIComponent(id)}?with=${encodeURIComponent(other)}`;

/** Offers evaluations of the same type to compare with. */
export function ChooseEvaluation({ run, onClose }: { readonly run: EvalRun; readonly onClose: () => void }) {
  const [, navigate] = useLocation();
  const { data, error, refetch } = useEvaluationList({ type: run.eval_type, kind: "", component: "" });
  const others = data?.pages.flatMap((page) => page.data).filter(({ id }) => id !== run.id) ?? [];
  return (
    <Dialog title="Compare with another evaluation" isOpen onClose={onClose} wide>
      {error ? (
        <Failed error={error} retry={() => refetch()} />
      ) : !data ? (
        <Skeleton lines={5} />
      ) : others.length === 0 ? (
        <Empty title="This is the only one of its type" />
      ) : (
        <div className="choices">
          {others.map((other) => (
            <button
              key={other.id}
              type="button"
              className="choice"
              onClick={() => {
                onClose();
                navigate(comparisonOf(run.id, other.id));
              }}
            >
              <span className="cut">{nameOf(other)}</span>
              <span className="small faint">
                {outcomeOf(other.eval_type, other.eval_data).text ?? other.status}
              </span>
              {other.created_at !== null && <Time at={other.created_at} />}
            </button>
          ))}
        </div>
      )}
      <div className="dialog-actions">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

type ComparisonProps = {
  readonly run: EvalRun;
  readonly cases: readonly EvalCase[];
  readonly other: string;
  readonly onClose: () => void;
};

/** Two evaluations side by side, case by case; cases belong together by their input. */
export function Comparison({ run, cases, other, onClose }: ComparisonProps) {
  const there = useEvaluation(other);
  const [isChoosing, setChoosing] = useState(false);
  const theirs = useCases(other, there.data?.status === "running");
  const all = useMemo(() => theirs.data?.pages.flatMap(({ data }) => data) ?? [], [theirs.data]);
  const pairs = useMemo(() => pairsOf(cases, all), [cases, all]);
  const error = there.error ?? theirs.error;
  const isSameType = there.data?.eval_type === run.eval_type;
  return (
    <div className="stack">
      <div className="row row-spread">
        <h2>Compared with another evaluation</h2>
        <div className="row">
          <Button kind="plain" onPress={() => setChoosing(true)}>
            Compare with another
          </Button>
          <Button kind="plain" icon={<X size={14} aria-hidden />} onPress={onClose}>
            Close the comparison
          </Button>
        </div>
      </div>
      {isChoosing && <ChooseEvaluation run={run} onClose={() => setChoosing(false)} />}
      {error ? (
        <Failed
          error={error}
          retry={() => {
            void there.refetch();
            void theirs.refetch();
          }}
        />
      ) : !there.data || theirs.isPending ? (
        <Skeleton lines={6} />
      ) : !isSameType ? (
        <Empty title="These two measure different things">
          <p>Only evaluations of the same type can be compared.</p>
        </Empty>
      ) : (
        <>
          <div className="compared-heads">
            <div className="cut">This: {nameOf(run)}</div>
            <div className="cut">
              Other: <Link href={`/evaluations/${encodeURIComponent(other)}`}>{nameOf(there.data)}</Link>
            </div>
          </div>
          <Changes first={other} second={run.id} type={run.eval_type} />
          {pairs.map(([mine, its]) => (
            <Pair
              key={`${mine?.number ?? ""} ${its?.number ?? ""}`}
              type={run.eval_type}
              mine={mine}
              its={its}
            />
          ))}
        </>
      )}
    </div>
  );
}

type ChangesProps = { readonly first: string; readonly second: string; readonly type: EvalType };

/** What became of the cases of the other evaluation in this one, and how their figures differ. */
function Changes({ first, second, type }: ChangesProps) {
  const { data } = useComparison(first, second);
  if (!data) return null;
  const { counts, differences } = data;
  const parts = [
    `${counts.better} better`,
    `${counts.worse} worse`,
    `${counts.same} the same`,
    ...(counts.unfinished > 0 ? [`${counts.unfinished} not over`] : []),
    ...(differences.score === null ? [] : [`score ${signed(scoreText(differences.score))}`]),
    ...(differences.cost === null ? [] : [`cost ${moneyText(differences.cost)}`]),
  ];
  return (
    <>
      <p className="soft">Compared with the other: {parts.join(" · ")}</p>
      <ComparisonChart compared={data} type={type} />
    </>
  );
}

const signed = (text: string): string => (text.startsWith("-") ? text : `+${text}`);

type PairOfCases = readonly [EvalCase | undefined, EvalCase | undefined];

function pairsOf(mine: readonly EvalCase[], theirs: readonly EvalCase[]): readonly PairOfCases[] {
  const left = [...theirs];
  const pairs = mine.map((one): PairOfCases => {
    const at = left.findIndex(({ input }) => input === one.input);
    return [one, at < 0 ? undefined : left.splice(at, 1)[0]];
  });
  return [...pairs, ...left.map((one): PairOfCases => [undefined, one])];
}

type PairProps = {
  readonly type: EvalType;
  readonly mine: EvalCase | undefined;
  readonly its: EvalCase | undefined;
};

function Pair({ type, mine, its }: PairProps) {
  const shown = mine ?? its;
  if (!shown) return null;
  return (
    <Card title={caseName(shown)} actions={<Change type={type} mine={mine} its={its} />}>
      <div className="stack">
        <Labelled label="Given" text={shown.input} />
        <div className="compared">
          <Half type={type} of={mine} />
          <Half type={type} of={its} />
        </div>
      </div>
    </Card>
  );
}

function Half({ type, of: one }: { readonly type: EvalType; readonly of: EvalCase | undefined }) {
  if (!one) return <p className="soft">It has no case with this input.</p>;
  return (
    <div className="stack">
      <div>
        <CaseVerdict type={type} of={one} />
      </div>
      <CaseResults type={type} of={one} />
    </div>
  );
}

/** More is better; undefined where nothing is known. What failed is worse than anything that did not. */
function rankOf(type: EvalType, { status, eval_data }: EvalCase): number | undefined {
  if (status === "failed") return Number.NEGATIVE_INFINITY;
  const { value } = outcomeOf(type, eval_data);
  return value === undefined || type !== "performance" ? value : -value;
}

/** Whether this evaluation did better than the other in a case. */
function Change({ type, mine, its }: PairProps) {
  const [here, there] = [mine, its].map((one) => one && rankOf(type, one));
  if (here === undefined || there === undefined) return null;
  if (here === there) return <Badge tone="plain">Same</Badge>;
  const isBetter = here > there;
  return (
    <Badge tone={isBetter ? "good" : "bad"}>
      {isBetter ? "Better than the other" : "Worse than the other"}
    </Badge>
  );
}
