import { useMemo, useState } from "react";
import type { RunOutput, WorkflowRunOutput } from "../../../client/index.ts";
import { useMe } from "../../access/use-me.ts";
import { inputOf, type Run, type RunPlace } from "../../api/kinds.ts";
import { Bubble, Written } from "../../conversation/message.tsx";
import { RunTreeView } from "../../conversation/run-tree.tsx";
import { Thread } from "../../conversation/thread.tsx";
import { WorkflowThread } from "../../conversation/workflow-thread.tsx";
import { Id } from "../../parts/id.tsx";
import { Json } from "../../parts/json.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card, Facts } from "../../parts/page.tsx";
import { Skeleton } from "../../parts/state.tsx";
import { otherMetadata } from "./decided.tsx";
import type { RunProgress } from "./followed-run.ts";
import { SayToRun } from "./say-to-run.tsx";
import { StepDetail } from "./step-detail.tsx";
import { stepToOpen } from "./step-to-open.ts";
import { promptsOf, stepsOfRun, stepsOfTrace } from "./steps.ts";
import { useFollowedRun } from "./use-followed-run.ts";
import { useTrace } from "./use-run.ts";
import { Waterfall } from "./waterfall.tsx";

type RunPanesProps = { readonly place: RunPlace; readonly run: Run };

/** What a run said, and the steps that it did; of one under way as it happens. */
export function RunPanes({ place, run }: RunPanesProps) {
  const progress = useFollowedRun(place, run);
  const { data: trace, isLoading } = useTrace(run);
  const live = progress?.steps;
  const steps = useMemo(() => live ?? (trace ? stepsOfTrace(trace) : stepsOfRun(run)), [live, trace, run]);
  const prompts = useMemo(() => promptsOf(run, steps), [run, steps]);
  const [chosen, setChosen] = useState<string>();
  const selected = steps.find(({ id }) => id === chosen) ?? stepToOpen(steps);
  return (
    <div className="run-panes">
      <Card title="Conversation">
        {progress ? (
          <LiveConversation place={place} run={run} progress={progress} />
        ) : (
          <Conversation run={run} session={place.session} />
        )}
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

type LiveConversationProps = RunPanesProps & { readonly progress: RunProgress };

/** What a run under way says, as it says it. */
function LiveConversation({ place, run, progress }: LiveConversationProps) {
  const me = useMe();
  const isOwn = run.user_id === undefined || run.user_id === me.id;
  return (
    <div className="thread">
      <Bubble by="user">
        <Written text={inputOf(run)} />
      </Bubble>
      <RunTreeView tree={progress.tree} session={place.session} isLive />
      {progress.isLost && (
        <Notice tone="warn">The connection was lost. The run goes on; following it again…</Notice>
      )}
      {isOwn && <SayToRun place={place} tree={progress.tree} />}
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
