import { Link } from "wouter";
import { type Kind, runPath } from "../../api/kinds.ts";
import { Badge, State } from "../../parts/badge.tsx";
import { Notice } from "../../parts/notice.tsx";
import { durationText } from "../../parts/time.tsx";
import { namesIn, numberIn, outcomeOf, type Result, resultsIn, scoreText } from "./outcome.ts";
import type { EvalCase, EvalType } from "./use-evaluations.ts";

type CaseProps = {
  readonly type: EvalType;
  readonly of: EvalCase;
  readonly place: { readonly kind: Kind; readonly component: string };
};

/** One case: what was given, what was expected, what came back, and the verdict. */
export function CaseCard({ type, of: one, place }: CaseProps) {
  return (
    <section className="card">
      <div className="card-head">
        <h3>{caseName(one)}</h3>
        <CaseVerdict type={type} of={one} />
      </div>
      <div className="card-body stack">
        {one.error !== null && <Notice tone="bad">{one.error}</Notice>}
        <Labelled label="Given" text={one.input} />
        <CaseResults type={type} of={one} />
        {one.runs.length > 0 && (
          <div className="row small">
            {one.runs.map(({ run_id, session_id, status }, at) => (
              <span key={run_id} className="row">
                <Link href={runPath({ ...place, session: session_id, run: run_id })}>
                  {one.runs.length === 1 ? "Open the run" : `Run ${at + 1}`}
                </Link>
                <State of={status} />
              </span>
            ))}
          </div>
        )}
      </div>
    </section>
  );
}

export const caseName = ({ name, number }: EvalCase): string =>
  name === null ? `Case ${number}` : `${number}. ${name}`;

export function CaseVerdict({
  type,
  of: { eval_data, progress, status },
}: {
  readonly type: EvalType;
  readonly of: EvalCase;
}) {
  if (progress.done === 0) return <Badge>Waiting</Badge>;
  if (status === "failed") return <Badge tone="bad">Failed</Badge>;
  const { text, tone } = outcomeOf(type, eval_data);
  if (text === undefined) return <Badge>No verdict</Badge>;
  return <Badge tone={tone ?? "plain"}>{text}</Badge>;
}

/** What came of a case, by its type. */
export function CaseResults({
  type,
  of: { eval_data, progress },
}: {
  readonly type: EvalType;
  readonly of: EvalCase;
}) {
  if (progress.done === 0) return <p className="soft">It has not run yet.</p>;
  if (type === "reliability") return <ToolResults data={eval_data} />;
  if (type === "performance") return <Times data={eval_data} />;
  const results = resultsIn(eval_data);
  if (results.length === 0) {
    return (
      <p className="soft">There is no verdict on its answer: the judge failed, or gave no usable verdict.</p>
    );
  }
  return results.map((result, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: results have no other identity, and do not move
    <Judgement key={at} of={result} isOne={results.length === 1} number={at + 1} />
  ));
}

function Judgement({
  of: { output, expected_output, criteria, reason, score, passed },
  isOne,
  number,
}: {
  readonly of: Result;
  readonly isOne: boolean;
  readonly number: number;
}) {
  return (
    <div className="judgement">
      {!isOne && (
        <div className="row">
          <span className="field-label">Run {number}</span>
          {typeof passed === "boolean" && (
            <Badge tone={passed ? "good" : "bad"}>{passed ? "Passed" : "Failed"}</Badge>
          )}
          {typeof score === "number" && <span className="small number">{scoreText(score)} of 10</span>}
        </div>
      )}
      <div className="case-columns">
        {expected_output ? <Labelled label="Expected" text={expected_output} /> : null}
        {criteria ? <Labelled label="Criteria" text={criteria} /> : null}
        <Labelled label="Answer" text={output ?? ""} />
      </div>
      {reason ? <Labelled label="Reason of the verdict" text={reason} isSoft /> : null}
    </div>
  );
}

const toolLists = [
  ["passed_tool_calls", "Called as expected", "good"],
  ["missing_tool_calls", "Expected but not called", "bad"],
  ["failed_tool_calls", "Called but not expected", "bad"],
  ["additional_tool_calls", "Also called", undefined],
  ["passed_argument_checks", "Arguments as expected", "good"],
  ["failed_argument_checks", "Arguments not as expected", "bad"],
] as const;

function ToolResults({ data }: { readonly data: EvalCase["eval_data"] }) {
  const lists = toolLists
    .map(([name, label, tone]) => ({ label, tone, tools: namesIn(data, name) }))
    .filter(({ tools }) => tools.length > 0);
  if (lists.length === 0) return <p className="soft">No tool was expected, and none was called.</p>;
  return (
    <div className="case-columns">
      {lists.map(({ label, tone, tools }) => (
        <div key={label} className="stack-tight">
          <div className="field-label">{label}</div>
          <div className="row">
            {tools.map((tool, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same tool may stand there twice
              <Badge key={at} {...(tone && { tone })}>
                {tool}
              </Badge>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

const measures = [
  ["avg_run_time", "Mean"],
  ["median_run_time", "Median"],
  ["p90_run_time", "90 % are below"],
  ["p95_run_time", "95 % are below"],
  ["p99_run_time", "99 % are below"],
  ["min_run_time", "Fastest"],
  ["max_run_time", "Slowest"],
] as const;

function Times({ data }: { readonly data: EvalCase["eval_data"] }) {
  const result = ("result" in data ? data.result : {}) as Readonly<Record<string, unknown>>;
  return (
    <div className="row case-times">
      {measures.map(([name, label]) => {
        const seconds = numberIn(result, name);
        return (
          <div key={name}>
            <div className="amount-name">{label}</div>
            <div className="amount-value">{seconds === undefined ? "–" : durationText(seconds)}</div>
          </div>
        );
      })}
    </div>
  );
}

type LabelledProps = { readonly label: string; readonly text: string; readonly isSoft?: boolean };

export function Labelled({ label, text, isSoft = false }: LabelledProps) {
  return (
    <div className="stack-tight case-text">
      <div className="field-label">{label}</div>
      <div className={isSoft ? "plain-text soft" : "plain-text"} dir="auto">
        {text === "" ? <span className="faint">nothing</span> : text}
      </div>
    </div>
  );
}
