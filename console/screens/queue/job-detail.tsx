import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowRight, CircleStop, ListRestart } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { addressOf } from "../../api/address.ts";
import { runPath, runsOf } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { Written } from "../../conversation/message.tsx";
import { Status } from "../../parts/badge.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Id } from "../../parts/id.tsx";
import { Json } from "../../parts/json.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts } from "../../parts/page.tsx";
import { Panel } from "../../parts/split.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { Time, useNow, wholeSecondsText } from "../../parts/time.tsx";
import { isEnded, type Job, mayCancel, mayRequeue } from "./queue-query.ts";
import { RequeueOne } from "./requeue-one.tsx";
import { WaitReason } from "./waits.tsx";

const LIVE_MS = 3_000;

type DetailProps = {
  readonly id: string;
  readonly known: Job | undefined;
  readonly onClose: () => void;
};

/** One job with all of its request. */
export function JobDetail({ id, known, onClose }: DetailProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ["queue", "one", id],
    queryFn: () => platform.getJob({ path: { job_id: id } }),
    ...(known && { placeholderData: known }),
    refetchInterval: ({ state }) => (state.data && isEnded(state.data) ? false : LIVE_MS),
  });
  if (!data) {
    return (
      <Panel title="Job" back="All jobs" onClose={onClose}>
        {error ? <Failed error={error} retry={() => refetch()} /> : <Skeleton lines={8} />}
      </Panel>
    );
  }
  return <Known job={data} onClose={onClose} />;
}

function Known({ job, onClose }: { readonly job: Job; readonly onClose: () => void }) {
  const { payload, component_type: kind, component_id: component, session_id: session } = job;
  const rest = Object.keys(payload.kwargs).length > 0;
  return (
    <Panel title={component} badge={<Status of={job.status} />} back="All jobs" onClose={onClose}>
      {job.error !== null && <Notice tone="bad">{job.error}</Notice>}
      <div className="row">
        <ButtonLink
          to={runPath({ kind, component, session, run: job.id })}
          icon={<ArrowRight size={15} aria-hidden />}
        >
          Open the run
        </ButtonLink>
        {mayRequeue(job) && <Requeue job={job} />}
        {mayCancel(job) && <Cancel job={job} />}
      </div>
      <JobFacts job={job} />
      <div className="stack-tight">
        <div className="field-label">Input</div>
        <div className="call">
          <Written text={payload.input} />
        </div>
      </div>
      {rest && (
        <div className="stack-tight">
          <div className="field-label">Settings of the request</div>
          <Json value={payload.kwargs} />
        </div>
      )}
      {payload.continue && (
        <div className="stack-tight">
          <div className="field-label">What continued it last</div>
          <Json value={payload.continue} />
        </div>
      )}
    </Panel>
  );
}

function JobFacts({ job }: { readonly job: Job }) {
  const now = useNow();
  const waits = job.status === "queued" || job.status === "paused";
  return (
    <Facts
      of={[
        ["Waits", waits ? <WaitReason key="w" job={job} now={now} /> : undefined],
        [
          "Component",
          <Link key="c" href={addressOf("/runs", { component: job.component_id })}>
            {job.component_id}
          </Link>,
        ],
        ["User", job.user_id ?? "none"],
        [
          "Session",
          <Link key="s" href={addressOf("/queue", { session: job.session_id })}>
            Jobs of this session
          </Link>,
        ],
        ["Attempt", `${job.attempt} of ${job.max_attempts}`],
        ["Accepted", <Time key="a" at={job.created_at} />],
        ["Changed", job.updated_at === null ? undefined : <Time key="u" at={job.updated_at} />],
        [
          "Ended",
          job.completed_at === null ? undefined : (
            <span key="e">
              <Time at={job.completed_at} />, {wholeSecondsText(job.completed_at - job.created_at)} after it
              was accepted
            </span>
          ),
        ],
        [
          "Lock",
          job.status === "running" ? (
            <span key="l">
              <Id value={job.locked_by} /> renewed <Time at={job.locked_at} />
            </span>
          ) : undefined,
        ],
        ["Version", payloadVersion(job)],
        ["Idempotency key", job.idempotency_key ?? undefined],
        ["Job and run", <Id key="id" value={job.id} />],
      ]}
    />
  );
}

const payloadVersion = ({ payload }: Job): string | undefined =>
  payload.version === undefined ? undefined : `${payload.version} of the component`;

function Requeue({ job }: { readonly job: Job }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon={<ListRestart size={15} aria-hidden />} onPress={() => setOpen(true)}>
        Requeue
      </Button>
      <RequeueOne job={job} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

function Cancel({ job }: { readonly job: Job }) {
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const cancel = useMutation({
    mutationFn: () => runsOf(job.component_type, job.component_id).cancel(job.id, job.session_id),
    onSuccess: () => {
      notify(job.status === "running" ? "It stops at its next checkpoint." : "The job is cancelled.");
      setOpen(false);
    },
    onError: notifyFailure,
    onSettled: () => client.invalidateQueries({ queryKey: ["queue"] }),
  });
  return (
    <>
      <Button kind="danger" icon={<CircleStop size={15} aria-hidden />} onPress={() => setOpen(true)}>
        Cancel
      </Button>
      <Confirm
        title="Cancel this job?"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        action="Cancel the job"
        isDangerous
        isBusy={cancel.isPending}
        onConfirm={() => cancel.mutate()}
      >
        <p>
          {job.status === "running"
            ? "Its run stops at its next checkpoint. What its tools have done already is not undone."
            : "Its run ends at once, without an answer. It can be requeued."}
        </p>
      </Confirm>
    </>
  );
}
