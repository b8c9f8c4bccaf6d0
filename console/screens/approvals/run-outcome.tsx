import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { PlatformError } from "../../../client/index.ts";
import { errorText, type Run, type RunPlace, runPath, runsOf, totalOf } from "../../api/kinds.ts";
import { isLive } from "../../api/use-run.ts";
import { Answer } from "../../conversation/message.tsx";
import { costText as amountText } from "../../parts/amounts.ts";
import { Status } from "../../parts/badge.tsx";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Skeleton } from "../../parts/state.tsx";

const LIVE_MS = 2_500;
/** A user may continue it later, or answer what else it asks. */
const PAUSED_MS = 10_000;

/**
 * The run of an approval, followed while it goes on; null where the reader may not see it or it was deleted.
 *
 * @param isDecided  before that it waits, and nothing of it changes
 */
export function useRunOf(place: RunPlace, isDecided: boolean) {
  const { kind, component, session, run } = place;
  return useQuery({
    queryKey: ["run-of-approval", session, run],
    queryFn: () => runsOf(kind, component).get(run, session).catch(nullIfHidden),
    refetchInterval: ({ state }) => {
      const status = state.data?.status;
      if (isLive(status)) return LIVE_MS;
      return isDecided && status === "PAUSED" ? PAUSED_MS : false;
    },
  });
}

function nullIfHidden(error: unknown): null {
  if (error instanceof PlatformError && (error.status === 403 || error.status === 404)) return null;
  throw error;
}

/** What the run has cost so far, as far as the reader may know and a price is known. */
export function costText(run: Run | null | undefined): string | undefined {
  if (run === null) return "hidden: your credential may not read this run";
  if (run === undefined) return undefined;
  return amountText(totalOf(run));
}

/** What became of a run after the decision. */
export function RunOutcome({
  place,
  run,
  onNext,
}: {
  readonly place: RunPlace;
  readonly run: Run | null | undefined;
  /** Leads to the next approval that waits. */
  readonly onNext: (() => void) | undefined;
}) {
  return (
    <div className="decision" aria-live="polite">
      <div className="row row-spread">
        <h3>The run</h3>
        {run && <Status of={run.status} />}
      </div>
      {run === null ? (
        <p className="soft">Your credential may not read it.</p>
      ) : !run ? (
        <Skeleton lines={2} />
      ) : isLive(run.status) ? (
        <p className="soft">It continues by itself. Its answer appears here.</p>
      ) : run.status === "COMPLETED" ? (
        <Answer content={run.content} />
      ) : run.status === "ERROR" ? (
        <Notice tone="bad">{errorText(run)}</Notice>
      ) : run.status === "PAUSED" ? (
        <p className="soft">It waits for something else. Its page says for what.</p>
      ) : (
        <p className="soft">It has ended without an answer.</p>
      )}
      <div className="row">
        {onNext && (
          <Button kind="main" icon={<ArrowRight size={15} aria-hidden />} onPress={onNext}>
            Next approval
          </Button>
        )}
        {run !== null && <ButtonLink to={runPath(place)}>Open the run</ButtonLink>}
      </div>
    </div>
  );
}
