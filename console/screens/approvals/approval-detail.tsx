import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Approval } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { addressOf } from "../../api/address.ts";
import { runPath } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { Written } from "../../conversation/message.tsx";
import { Status } from "../../parts/badge.tsx";
import { Id } from "../../parts/id.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Facts } from "../../parts/page.tsx";
import { Panel } from "../../parts/split.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { exactText, Time, useNow } from "../../parts/time.tsx";
import { Calls, titleOf } from "./calls.tsx";
import { Decision } from "./decision.tsx";
import { type Decided, placeOf } from "./resolve.ts";
import { costText, RunOutcome, useRunOf } from "./run-outcome.tsx";

/** Another user may decide it meanwhile. */
const PENDING_MS = 10_000;

type DetailProps = {
  readonly id: string;
  /** As the list has it, until it has been read. */
  readonly known: Approval | undefined;
  readonly asked: Decided["status"] | undefined;
  readonly onAsked: (asked: Decided["status"] | undefined) => void;
  /** Called when the decision is sent. */
  readonly onDecide: () => void;
  /** Leads to another one that waits; undefined when none does. */
  readonly onNext: (() => void) | undefined;
  readonly onClose?: (() => void) | undefined;
};

/** One approval: what is asked for, by whom, and the decision or what became of it. */
export function ApprovalDetail({ id, known, onClose, ...decision }: DetailProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ["approvals", "one", id],
    queryFn: () => platform.getApproval({ path: { approval_id: id } }),
    placeholderData: known ?? keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? PENDING_MS : false),
  });
  const approval = data?.id === id ? data : known;
  if (approval) return <Known approval={approval} onClose={onClose} {...decision} />;
  return (
    <Panel title="Approval" back="All approvals" onClose={onClose}>
      {error ? <Failed error={error} retry={() => refetch()} /> : <Skeleton lines={8} />}
    </Panel>
  );
}

type KnownProps = Omit<DetailProps, "id" | "known"> & { readonly approval: Approval };

function Known({ approval, asked, onAsked, onDecide, onNext, onClose }: KnownProps) {
  const now = useNow();
  const { status, expires_at } = approval;
  const isOverdue = status === "pending" && expires_at !== null && expires_at * 1000 <= now;
  const place = placeOf(approval);
  const { data: run } = useRunOf(place, status !== "pending");
  return (
    <Panel
      title={titleOf(approval)}
      badge={<Status of={isOverdue ? "expired" : status} />}
      back="All approvals"
      onClose={onClose}
    >
      <p className="soft">
        {approval.source_name || place.component || "A component"}{" "}
        {approval.approval_type === "audit" ? "was asked about this:" : "wants to call this:"}
      </p>
      <Calls approval={approval} />
      <Asked approval={approval} cost={costText(run)} />
      {status !== "pending" && <Resolution approval={approval} />}
      {isOverdue && (
        <Notice tone="warn">
          It expired {exactText(expires_at)} and can no longer be decided. The run still waits; cancel it, or
          start it again.
        </Notice>
      )}
      {status === "pending" && !isOverdue && (
        <Decision key={approval.id} approval={approval} asked={asked} onAsked={onAsked} onDecide={onDecide} />
      )}
      {(status !== "pending" || isOverdue) && <RunOutcome place={place} run={run} onNext={onNext} />}
    </Panel>
  );
}

function Asked({ approval, cost }: { readonly approval: Approval; readonly cost: string | undefined }) {
  const may = useMay();
  const place = placeOf(approval);
  const { user_id, created_at, expires_at, schedule_id, session_id, status } = approval;
  const component = <Link href={addressOf("/runs", { component: place.component })}>{place.component}</Link>;
  const schedule =
    schedule_id === null ? undefined : may("schedules:read") ? (
      <Link href={`/schedules/${encodeURIComponent(schedule_id)}`}>Open the schedule</Link>
    ) : (
      <Id value={schedule_id} />
    );
  const session = <Link href={`/sessions/${encodeURIComponent(session_id)}`}>Open the session</Link>;
  const isExpiring = expires_at !== null && status === "pending";
  return (
    <Facts
      of={[
        ["Component", component],
        ["Asked by", user_id ?? "the run has no user"],
        ["Asked", <Time key="asked" at={created_at} />],
        ["Expires", isExpiring ? <Time key="expires" at={expires_at} /> : undefined],
        ["Cost so far", cost],
        ["Schedule", schedule],
        [
          "Run",
          <Link key="run" href={runPath(place)}>
            Open the run
          </Link>,
        ],
        ["Session", may("sessions:read") ? session : undefined],
        ["Approval", <Id key="id" value={approval.id} />],
      ]}
    />
  );
}

const verbs = {
  approved: "Approved",
  rejected: "Rejected",
  expired: "Expired",
  cancelled: "Cancelled",
} as const;

/** Who decided, when, and with what note. */
function Resolution({ approval }: { readonly approval: Approval }) {
  const { status, resolved_by, resolved_at, resolution_data } = approval;
  if (status === "pending") return null;
  const note = resolution_data?.note ?? resolution_data?.feedback;
  const tone = status === "approved" ? "good" : status === "rejected" ? "bad" : "plain";
  return (
    <Notice tone={tone === "bad" ? "warn" : tone}>
      <div>
        {verbs[status]}
        {resolved_by !== null && ` by ${resolved_by}`} {resolved_at !== null && <Time at={resolved_at} />}
      </div>
      {typeof note === "string" && note !== "" && <Written text={note} />}
    </Notice>
  );
}
