import { useCallback, useEffect, useRef, useState } from "react";
import type { Approval } from "../client/index.ts";
import { useGiven } from "./agent-platform.ts";
import { asError } from "./run-progress.ts";

export type Approvals = {
  /** Those that are pending, the newest first. */
  readonly items: readonly Approval[];
  /** Their runs continue in the queue. @throws PlatformError, also for one that was decided meanwhile */
  readonly approve: (approvalId: string, note?: string) => Promise<void>;
  readonly reject: (approvalId: string, note?: string) => Promise<void>;
  readonly refresh: () => Promise<void>;
  readonly error: Error | undefined;
};

/**
 * The approvals that wait, as far as the caller sees them: an approver everybody's, anyone else their own.
 *
 * @param mine  only those that the runs of `<AgentPlatform user>` ask for
 */
export function useApprovals({ mine = false }: { readonly mine?: boolean } = {}): Approvals {
  const { client, user } = useGiven();
  if (mine && user === undefined) throw new Error("useApprovals({ mine }) needs <AgentPlatform user={…}>");
  const [items, setItems] = useState<readonly Approval[]>([]);
  const [error, setError] = useState<Error | undefined>(undefined);
  const asked = useRef<AbortController | undefined>(undefined);
  const refresh = useCallback(async () => {
    asked.current?.abort();
    const left = new AbortController();
    asked.current = left;
    const query = { status: "pending", ...(mine && { user_id: user }) } as const;
    try {
      const { data } = await client.listApprovals({ query }, { signal: left.signal });
      if (left.signal.aborted) return;
      setItems(data);
      setError(undefined);
    } catch (thrown) {
      if (!left.signal.aborted) setError(asError(thrown));
    }
  }, [client, mine, user]);
  useEffect(() => {
    void refresh();
    return () => asked.current?.abort();
  }, [refresh]);
  const decide = useCallback(
    async (status: "approved" | "rejected", approval_id: string, note?: string) => {
      const body = { status, continue: true, ...(note !== undefined && { resolution_data: { note } }) };
      try {
        await client.resolveApproval({ path: { approval_id }, body });
      } finally {
        await refresh();
      }
    },
    [client, refresh],
  );
  const approve = useCallback((id: string, note?: string) => decide("approved", id, note), [decide]);
  const reject = useCallback((id: string, note?: string) => decide("rejected", id, note), [decide]);
  return { items, approve, reject, refresh, error };
}
