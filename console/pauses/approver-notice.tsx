import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useMay } from "../access/use-me.ts";
import { platform } from "../api/platform.ts";
import { Status } from "../parts/badge.tsx";
import { Notice } from "../parts/notice.tsx";

const EVERY_MS = 4_000;

/** The approvals of a run, where the reader may see them; read again, because another user decides them. */
export function useApprovals(run_id: string, isNeeded: boolean) {
  const may = useMay();
  const { data } = useQuery({
    queryKey: ["approvals", "of", run_id],
    enabled: isNeeded && may("approvals:read"),
    queryFn: () => platform.listApprovals({ query: { run_id } }),
    refetchInterval: EVERY_MS,
  });
  const approvals = data?.data.filter(({ approval_type }) => approval_type === "required");
  return { approvals, isPending: approvals?.some(({ status }) => status === "pending") ?? false };
}

type ApproverNoticeProps = {
  readonly run_id: string;
  readonly approvals: readonly { readonly id: string; readonly status: string }[] | undefined;
};

/** Says that another user decides, and where. */
export function ApproverNotice({ run_id, approvals }: ApproverNoticeProps) {
  const may = useMay();
  return (
    <Notice tone="warn">
      <div className="stack-tight">
        <span>An approver decides about this. The run waits until then, however long it takes.</span>
        <span className="row">
          {approvals?.map(({ id, status }) => (
            <Status key={id} of={status} />
          ))}
          {may("approvals:read") && (
            <Link href={`/approvals?run=${encodeURIComponent(run_id)}`}>Open the approval</Link>
          )}
        </span>
      </div>
    </Notice>
  );
}
