import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useLocation } from "wouter";
import type { RunOutput, WorkflowRunOutput } from "../../../client/index.ts";
import { besideOf, comparisonPath, type Run, type RunPlace, totalOf } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { useRun } from "../../api/use-run.ts";
import { Thread } from "../../conversation/thread.tsx";
import { WorkflowThread } from "../../conversation/workflow-thread.tsx";
import { costText, countText } from "../../parts/amounts.ts";
import { Status } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Card } from "../../parts/page.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import { durationText, Time } from "../../parts/time.tsx";

const MOST = 30;

/** Offers the latest runs of the same component to compare with. */
export function ChooseRun({
  place,
  isOpen,
  onClose,
}: {
  readonly place: RunPlace;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const [, navigate] = useLocation();
  const { data, error, refetch } = useQuery({
    queryKey: ["runs", "of", place.kind, place.component],
    enabled: isOpen,
    queryFn: () =>
      platform.listRuns({
        query: { component_type: place.kind, component_id: place.component, limit: MOST },
      }),
  });
  const others = data?.data.filter(({ run_id }) => run_id !== place.run) ?? [];
  const choose = (session: string, run: string) => {
    onClose();
    navigate(comparisonPath(place, besideOf(session, run)));
  };
  return (
    <Dialog title={`Compare with another run of ${place.component}`} isOpen={isOpen} onClose={onClose} wide>
      {error ? (
        <Failed error={error} retry={() => refetch()} />
      ) : !data ? (
        <Skeleton lines={5} />
      ) : others.length === 0 ? (
        <Empty title="This is its only run" />
      ) : (
        <div className="choices">
          {others.map(({ run_id, session_id, input_preview, status, created_at }) => (
            <button key={run_id} type="button" className="choice" onClick={() => choose(session_id, run_id)}>
              <span className="cut" dir="auto">
                {input_preview || "no input"}
              </span>
              <Status of={status} />
              <Time at={created_at} />
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
  readonly place: RunPlace;
  readonly run: Run;
  /** As `besideOf` names it. */
  readonly other: string;
  readonly onClose: () => void;
};

/** Two runs of one component beside each other, with what differs in their amounts. */
export function Comparison({ place, run, other, onClose }: ComparisonProps) {
  const [session = "", id = ""] = other.split("/");
  const there: RunPlace = { ...place, session: decodeURIComponent(session), run: id };
  const { data, error, refetch } = useRun(there);
  return (
    <div className="stack">
      <div className="row row-spread">
        <h2>Compared with another run</h2>
        <Button kind="plain" icon={<X size={14} aria-hidden />} onPress={onClose}>
          Close the comparison
        </Button>
      </div>
      <div className="run-panes">
        <Side title="This run" run={run} session={place.session} />
        {data ? (
          <Side title="The other run" run={data} session={there.session} against={run} />
        ) : (
          <Card title="The other run">
            {error ? <Failed error={error} retry={() => refetch()} /> : <Skeleton lines={6} />}
          </Card>
        )}
      </div>
    </div>
  );
}

type SideProps = {
  readonly title: string;
  readonly run: Run;
  readonly session: string;
  readonly against?: Run;
};

function Side({ title, run, session, against }: SideProps) {
  const rows = amountsOf(run);
  const base = against && amountsOf(against);
  return (
    <Card title={title} actions={<Status of={run.status} />}>
      <div className="stack">
        <table className="table">
          <tbody>
            {rows.map(({ name, value, text }, at) => {
              const before = base?.[at]?.value;
              return (
                <tr key={name}>
                  <td className="faint">{name}</td>
                  <td className="end">{text}</td>
                  <td className="end faint">
                    {before === undefined || value === undefined ? "" : shareText(value, before)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {"step_results" in run ? (
          <WorkflowThread run={run as WorkflowRunOutput} session={session} />
        ) : (
          <Thread run={run as RunOutput} session={session} />
        )}
      </div>
    </Card>
  );
}

function amountsOf(run: Run) {
  const { duration, input_tokens, output_tokens, cost } = totalOf(run);
  return [
    { name: "Took", value: duration, text: duration === undefined ? "–" : durationText(duration) },
    { name: "Tokens in", value: input_tokens, text: countText(input_tokens) },
    { name: "Tokens out", value: output_tokens, text: countText(output_tokens) },
    { name: "Cost", value: cost, text: costText({ cost, input_tokens }) ?? "–" },
  ];
}

function shareText(value: number, before: number): string {
  if (before === 0) return "";
  const share = Math.round((value / before - 1) * 100);
  return share === 0 ? "same" : `${share > 0 ? "+" : ""}${share} %`;
}
