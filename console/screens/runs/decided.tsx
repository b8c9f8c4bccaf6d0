import { Link } from "wouter";
import { useMay } from "../../access/use-me.ts";
import { addressOf } from "../../api/address.ts";
import type { Run } from "../../api/kinds.ts";
import { Notice } from "../../parts/notice.tsx";
import { Time } from "../../parts/time.tsx";

/** The latest approval of a run, as its record keeps it. */
type Decision = {
  readonly id: string;
  readonly status: string;
  readonly tool_name: string | null;
  readonly resolved_by: string | null;
  readonly resolved_at: number | null;
  readonly resolution_data: Readonly<Record<string, unknown>> | null;
};

const verbs: Readonly<Record<string, string>> = { approved: "approved", rejected: "rejected" };

/** Who let a run call its tool, or did not. */
export function Decided({ run }: { readonly run: Run }) {
  const may = useMay();
  const decision = decisionOf(run);
  const verb = decision && verbs[decision.status];
  if (!decision || verb === undefined) return null;
  const { id, tool_name, resolved_by, resolved_at, resolution_data } = decision;
  const note = resolution_data?.note ?? resolution_data?.feedback;
  return (
    <Notice tone={decision.status === "approved" ? "good" : "warn"}>
      {tool_name !== null && <span className="mono">{tool_name}</span>} was {verb}
      {resolved_by !== null && ` by ${resolved_by}`} {resolved_at !== null && <Time at={resolved_at} />}
      {typeof note === "string" && note !== "" && `: ${note}`}{" "}
      {may("approvals:read") && (
        <Link href={addressOf("/approvals", { status: "all", id })}>Open the approval</Link>
      )}
    </Notice>
  );
}

/** What the reader is not shown in words elsewhere. */
export function otherMetadata(run: Run): Readonly<Record<string, unknown>> {
  const { approval, ...others } = run.metadata ?? {};
  return decisionOf(run) ? others : { ...run.metadata };
}

function decisionOf({ metadata }: Run): Decision | undefined {
  const kept = metadata?.approval;
  const isDecision = typeof kept === "object" && kept !== null && "status" in kept && "resolved_by" in kept;
  return isDecision ? (kept as Decision) : undefined;
}
