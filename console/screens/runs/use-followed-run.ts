import { useEffect, useMemo, useSyncExternalStore } from "react";
import { useMay } from "../../access/use-me.ts";
import { pluralOf, type Run, type RunPlace } from "../../api/kinds.ts";
import { isLive } from "../../api/use-run.ts";
import { FollowedRun, type RunProgress } from "./followed-run.ts";

/**
 * A run under way, as far as its events have arrived.
 *
 * @returns undefined for a run that is not under way, or whose events the reader may not read
 */
export function useFollowedRun(place: RunPlace, run: Run): RunProgress | undefined {
  const may = useMay();
  const { kind, component, session, run: run_id } = place;
  const isFollowed = isLive(run.status) && may(`${pluralOf[kind]}:run`, component);
  const name = nameOf(run) ?? component;
  const followed = useMemo(
    () => (isFollowed ? new FollowedRun({ kind, component, session, run: run_id }, name) : undefined),
    [isFollowed, kind, component, session, run_id, name],
  );
  useEffect(() => {
    void followed?.follow();
    return () => followed?.leave();
  }, [followed]);
  const progress = useSyncExternalStore(followed?.subscribe ?? noSubscription, followed?.snapshot ?? nothing);
  return progress?.isRefused ? undefined : progress;
}

const noSubscription = () => () => {};
const nothing = () => undefined;

const nameOf = (run: Run): string | undefined =>
  "step_results" in run ? run.workflow_name : (run.agent_name ?? run.team_name);
