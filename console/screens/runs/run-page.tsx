import { useMemo, useState } from "react";
import { Link } from "wouter";
import type { RunOutput, WorkflowRunOutput } from "../../../client/index.ts";
import { useMay, useMe } from "../../access/use-me.ts";
import { errorText, inputOf, type Run, type RunPlace, totalOf } from "../../api/kinds.ts";
import { useFilters } from "../../api/use-filters.ts";
import { useRun } from "../../api/use-run.ts";
import { Thread } from "../../conversation/thread.tsx";
import { WorkflowThread } from "../../conversation/workflow-thread.tsx";
import { cachedText, costText, shortCount } from "../../parts/amounts.ts";
import { State, Status } from "../../parts/badge.tsx";
import { Id } from "../../parts/id.tsx";
import { Json } from "../../parts/json.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Amounts, Card, Facts, Meta, Page } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { durationText, Time } from "../../parts/time.tsx";
import { PauseForm } from "../../pauses/pause-form.tsx";
import { Comparison } from "./comparison.tsx";
import { Decided, otherMetadata } from "./decided.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunFeedback } from "./run-feedback/run-feedback.tsx";
import { RunLog } from "./run-log.tsx";
import { StepDetail } from "./step-detail.tsx";
import { stepToOpen } from "./step-to-open.ts";
import { promptsOf, stepsOfRun, stepsOfTrace } from "./steps.ts";
import { useJob, useTrace } from "./use-run.ts";
import { Waterfall } from "./waterfall.tsx";

const names = ["view", "with"] as const;
const back = { to: "/runs", text: "Runs" };

/** One run: what was said, what was done, and its totals. */
export function RunPage(place: RunPlace) {
  const { data: run, error, isPending, refetch } = useRun(place);
  const [{ view, with: other }, change] = useFilters(names);
  const me = useMe();
  if (isPending) {
    return (
      <Page title="Run" back={back}>
        <Skeleton lines={8} />
      </Page>
    );
  }
  if (!run) {
    return (
      <Page title="Run" back={back}>
        <Failed error={error} retry={() => refetch()} />
      </Page>
    );
  }
  const input = inputOf(run);
  const owner = run.user_id === me.id ? undefined : run.user_id;
  return (
    <Page
      title={input.slice(0, 80) || "Run"}
      heading={
        <span className="run-title">
          <span className="cut">{input || "Run"}</span>
        </span>
      }
      back={back}
      about={<Place place={place} run={run} />}
      actions={<RunActions place={place} run={run} />}
    >
      <Problem run={run} />
      <RunAmounts run={run} />
      {run.status === "PAUSED" && <PauseForm run={run} place={place} owner={owner} />}
      <Decided run={run} />
      <RunFeedback place={place} run={run} />
      {other ? (
        <Comparison place={place} run={run} other={other} onClose={() => change({ with: "" })} />
      ) : (
        <Views run={run} session={place.session} view={view} onView={(next) => change({ view: next })} />
      )}
    </Page>
  );
}

type ViewsProps = {
  readonly run: Run;
  readonly session: string;
  readonly view: string;
  readonly onView: (view: string) => void;
};

/** A run as it went, as the platform's log shows it, and as the API gives it. */
function Views({ run, session, view, onView }: ViewsProps) {
  const may = useMay();
  const log = <RunLog run_id={run.run_id} isLive={run.status === "RUNNING"} />;
  return (
    <Tabs
      label="Views of the run"
      value={view}
      onChange={onView}
      tabs={[
        { id: "steps", title: "Conversation and steps", content: <Panes run={run} session={session} /> },
        ...(may("platform:admin") ? [{ id: "log", title: "Log", content: log }] : []),
        { id: "json", title: "JSON", content: <Json value={run} /> },
      ]}
    />
  );
}

function Place({ place, run }: { readonly place: RunPlace; readonly run: Run }) {
  return (
    <Meta>
      <Status of={run.status} />
      <Link href={`/runs?component=${encodeURIComponent(place.component)}`}>{place.component}</Link>
      <span className="faint">{place.kind}</span>
      <Link href={`/sessions/${encodeURIComponent(place.session)}`}>Session</Link>
      {run.user_id !== undefined && <span className="faint">by {run.user_id}</span>}
      <Time at={run.created_at} />
      <Id value={run.run_id} />
    </Meta>
  );
}

function Problem({ run }: { readonly run: Run }) {
  if (run.status !== "ERROR") return null;
  return <Notice tone="bad">{errorText(run)}</Notice>;
}

function RunAmounts({ run }: { readonly run: Run }) {
  const { data: job } = useJob(run);
  const metrics = totalOf(run);
  const first =
    run.metrics && "time_to_first_token" in run.metrics ? run.metrics.time_to_first_token : undefined;
  const amounts = [
    ["Took", metrics.duration === undefined ? undefined : durationText(metrics.duration)],
    ["First token", first === undefined ? undefined : durationText(first)],
    ["Tokens in", metrics.input_tokens === undefined ? undefined : shortCount(metrics.input_tokens)],
    ["From cache", cachedText(metrics.input_tokens, metrics.cache_read_tokens)],
    ["Tokens out", metrics.output_tokens === undefined ? undefined : shortCount(metrics.output_tokens)],
    ["Cost", costText(metrics)],
    ["Model", "model" in run ? run.model : undefined],
    ["Attempt", job ? `${job.attempt} of ${job.max_attempts}` : undefined],
    ["Job", job ? <State key="job" of={job.status} /> : undefined],
  ] as const;
  return <Amounts of={amounts} />;
}

function Panes({ run, session }: { readonly run: Run; readonly session: string }) {
  const { data: trace, isLoading } = useTrace(run);
  const steps = useMemo(() => (trace ? stepsOfTrace(trace) : stepsOfRun(run)), [trace, run]);
  const prompts = useMemo(() => promptsOf(run, steps), [run, steps]);
  const [chosen, setChosen] = useState<string>();
  const selected = steps.find(({ id }) => id === chosen) ?? stepToOpen(steps);
  return (
    <div className="run-panes">
      <Card title="Conversation">
        <Conversation run={run} session={session} />
      </Card>
      <div className="stack">
        <Card title="Steps" flush>
          {isLoading ? (
            <div className="card-body">
              <Skeleton lines={4} />
            </div>
          ) : steps.length === 0 ? (
            <p className="card-body soft">
              {run.status === "RUNNING" ? "Its first step is under way." : "Nothing has been done yet."}
            </p>
          ) : (
            <Waterfall steps={steps} selected={selected?.id} onSelect={setChosen} />
          )}
          {trace === null && steps.length > 0 && (
            <p className="card-body small faint">
              This run has no trace, so the steps come from its record. Tracing is the setting “tracing”.
            </p>
          )}
        </Card>
        {!isLoading && selected && (
          <Card flush>
            <StepDetail step={selected} prompt={prompts.get(selected.id)} />
          </Card>
        )}
        <Details run={run} />
      </div>
    </div>
  );
}

function Conversation({ run, session }: { readonly run: Run; readonly session: string }) {
  return "step_results" in run ? (
    <WorkflowThread run={run as WorkflowRunOutput} session={session} />
  ) : (
    <Thread run={run as RunOutput} session={session} />
  );
}

function Details({ run }: { readonly run: Run }) {
  const state = run.session_state ?? {};
  const metadata = otherMetadata(run);
  const forked = "forked_from_run_id" in run ? run.forked_from_run_id : undefined;
  return (
    <Card title="Details">
      <div className="stack">
        <Facts
          of={[
            ["Run", <Id key="run" value={run.run_id} whole />],
            ["Session", <Id key="session" value={run.session_id} whole />],
            ["Forked from", forked && <Id key="fork" value={forked} />],
          ]}
        />
        {Object.keys(state).length > 0 && (
          <div className="stack-tight">
            <div className="field-label">Session state</div>
            <Json value={state} />
          </div>
        )}
        {Object.keys(metadata).length > 0 && (
          <div className="stack-tight">
            <div className="field-label">Metadata</div>
            <Json value={metadata} />
          </div>
        )}
      </div>
    </Card>
  );
}
