import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Approval } from "../../../client/index.ts";
import type { RunPlace } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { notify, notifyFailure } from "../../parts/messages.tsx";

export type Decided = {
  readonly status: "approved" | "rejected";
  /** Note, values of the fields, result: whatever the approver gives with the decision. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Arguments that the approver has changed, by call. */
  readonly edited: Record<string, Record<string, unknown>>;
};

/** Where the run of an approval is. */
export function placeOf(approval: Approval): RunPlace {
  const { source_type: kind, agent_id, team_id, workflow_id, session_id, run_id } = approval;
  const component = { agent: agent_id, team: team_id, workflow: workflow_id }[kind] ?? "";
  return { kind, component, session: session_id, run: run_id };
}

/** Resolves an approval and has its run go on. */
export function useResolve(approval: Approval) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (decided: Decided) => resolve(approval, decided),
    onSuccess: (waits, { status }) => {
      const what = status === "approved" ? "Approved" : "Rejected";
      notify(waits === 0 ? `${what}. The run continues.` : `${what}. The run waits for ${waits} more.`);
    },
    onError: notifyFailure,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ["approvals"] });
      void client.invalidateQueries({ queryKey: ["run", approval.session_id, approval.run_id] });
      void client.invalidateQueries({ queryKey: ["run-of-approval", approval.session_id, approval.run_id] });
    },
  });
}

/** @returns how many questions of the run are still open */
async function resolve(approval: Approval, { status, data, edited }: Decided): Promise<number> {
  const { run } = await platform.resolveApproval({
    path: { approval_id: approval.id },
    body: {
      status,
      continue: true,
      ...(Object.keys(data).length > 0 && { resolution_data: data }),
      ...(Object.keys(edited).length > 0 && { edited_args: edited }),
    },
  });
  return run?.waits_for ?? 0;
}
