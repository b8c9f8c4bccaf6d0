import { Empty } from "../../parts/state.tsx";

/** The platform's own log lines of a run. */
export function RunLog({ run_id }: { readonly run_id: string; readonly isLive: boolean }) {
  return <Empty title={`No log of ${run_id}`} />;
}
