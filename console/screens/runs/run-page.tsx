import { Link } from "wouter";
import { useMay, useMe } from "../../access/use-me.ts";
import { errorText, inputOf, pluralOf, type Run, type RunPlace, totalOf } from "../../api/kinds.ts";
import { useFilters } from "../../api/use-filters.ts";
import { isLive, useRun } from "../../api/use-run.ts";
import { RunFeedback } from "../../feedback/run-feedback.tsx";
import { cachedText, costText, shortCount } from "../../parts/amounts.ts";
import { State, Status } from "../../parts/badge.tsx";
import { Id } from "../../parts/id.tsx";
import { Json } from "../../parts/json.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Amounts, Meta, Page } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { durationText, Time } from "../../parts/time.tsx";
import { useSeconds } from "../../parts/use-seconds.ts";
import { PauseForm } from "../../pauses/pause-form.tsx";
import { Comparison } from "./comparison.tsx";
import { Decided } from "./decided.tsx";
import { RunActions } from "./run-actions.tsx";
import { RunGraph } from "./run-graph.tsx";
import { RunLog } from "./run-log.tsx";
import { RunPanes } from "./run-panes.tsx";
import { useJob } from "./use-run.ts";
import { useRunSteps } from "./use-run-steps.ts";

const names = ["view", "with"] as const;
const stepNames = ["view", "step"] as const;
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
        <Views run={run} place={place} view={view} onView={(next) => change({ view: next })} />
      )}
    </Page>
  );
}

type ViewsProps = {
  readonly run: Run;
  readonly place: RunPlace;
  readonly view: string;
  readonly onView: (view: string) => void;
};

/** A run as it went, as the platform's log shows it, and as the API gives it. */
function Views({ run, place, view, onView }: ViewsProps) {
  const may = useMay();
  const [, change] = useFilters(stepNames);
  const of = useRunSteps(place, run);
  const hasGraph = place.kind !== "agent" && may(`${pluralOf[place.kind]}:read`, place.component);
  const graph = (
    <RunGraph place={place} run={run} steps={of.steps} onChoose={(step) => change({ step, view: "" })} />
  );
  const log = <RunLog run_id={run.run_id} isLive={isLive(run.status)} />;
  return (
    <Tabs
      label="Views of the run"
      value={view}
      onChange={onView}
      tabs={[
        { id: "steps", title: "Steps", content: <RunPanes place={place} run={run} of={of} /> },
        ...(hasGraph ? [{ id: "graph", title: "Graph", content: graph }] : []),
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
  const goesOn = isLive(run.status);
  // A clock that is behind the platform's would show a run of the future.
  const passed = Math.max(0, useSeconds(goesOn) / 1000 - run.created_at);
  const first =
    run.metrics && "time_to_first_token" in run.metrics ? run.metrics.time_to_first_token : undefined;
  const amounts = [
    [run.status === "PENDING" ? "Has waited" : "Has run", goesOn ? durationText(passed) : undefined],
    ["Took", goesOn || metrics.duration === undefined ? undefined : durationText(metrics.duration)],
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
