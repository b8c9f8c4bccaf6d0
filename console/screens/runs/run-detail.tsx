import type { RunOutput, WorkflowRunOutput } from "../../../client/index.ts";
import { useMe } from "../../access/use-me.ts";
import { inputOf, type Run, type RunPlace } from "../../api/kinds.ts";
import { Bubble, Written } from "../../conversation/message.tsx";
import { RunTreeView } from "../../conversation/run-tree.tsx";
import { Thread } from "../../conversation/thread.tsx";
import { WorkflowThread } from "../../conversation/workflow-thread.tsx";
import { JudgedMessages } from "../../feedback/judged-messages.tsx";
import { Id } from "../../parts/id.tsx";
import { Json } from "../../parts/json.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts } from "../../parts/page.tsx";
import { exactText } from "../../parts/time.tsx";
import { otherMetadata } from "./decided.tsx";
import type { RunProgress } from "./followed-run.ts";
import { SayToRun } from "./say-to-run.tsx";
import type { Step } from "./steps.ts";

type RunDetailProps = {
  readonly place: RunPlace;
  readonly run: Run;
  /** Of a run under way. */
  readonly progress: RunProgress | undefined;
  /** The run among its steps. */
  readonly step: Step | undefined;
};

/** What was said in a run, as it is said while the run is under way, and what is known of it as a whole. */
export function RunDetail({ place, run, progress, step }: RunDetailProps) {
  return (
    <div className="span-detail">
      {progress ? (
        <LiveConversation place={place} run={run} progress={progress} />
      ) : (
        <Conversation run={run} place={place} />
      )}
      <Details run={run} step={step} />
    </div>
  );
}

type LiveConversationProps = Omit<RunDetailProps, "step" | "progress"> & { readonly progress: RunProgress };

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

function Conversation({ run, place }: Pick<RunDetailProps, "run" | "place">) {
  const { session } = place;
  return "step_results" in run ? (
    <WorkflowThread run={run as WorkflowRunOutput} session={session} />
  ) : (
    <JudgedMessages place={place} run={run}>
      <Thread run={run as RunOutput} session={session} />
    </JudgedMessages>
  );
}

function Details({ run, step }: { readonly run: Run; readonly step: Step | undefined }) {
  const state = run.session_state ?? {};
  const metadata = otherMetadata(run);
  const forked = "forked_from_run_id" in run ? run.forked_from_run_id : undefined;
  return (
    <section className="run-details stack">
      <h2>Details</h2>
      <Facts
        of={[
          ["Began", step?.start === undefined ? undefined : exactText(new Date(step.start))],
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
    </section>
  );
}
