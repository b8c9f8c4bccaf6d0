import { useDeferredValue, useRef } from "react";
import type { Run, RunPlace } from "../../api/kinds.ts";
import { useFilters } from "../../api/use-filters.ts";
import { Resizable } from "../../parts/resizable.tsx";
import { Skeleton } from "../../parts/state.tsx";
import { RunDetail } from "./run-detail.tsx";
import { StepDetail } from "./step-detail.tsx";
import { stepToOpen } from "./step-to-open.ts";
import type { RunSteps } from "./use-run-steps.ts";
import { Waterfall } from "./waterfall.tsx";

const names = ["step"] as const;

type RunPanesProps = { readonly place: RunPlace; readonly run: Run; readonly of: RunSteps };

/**
 * What a run did, step by step, and beside it the step that is chosen: all that was said for the run itself. A run under way is shown as
 * it goes.
 */
export function RunPanes({
  place,
  run,
  of: { steps, prompts, progress, isLoading, hasNoTrace },
}: RunPanesProps) {
  const [{ step: chosen }, change] = useFilters(names);
  const detail = useRef<HTMLDivElement>(null);
  const selected = steps.find(({ id }) => id === chosen) ?? stepToOpen(steps);
  // A long conversation is rendered bit by bit, behind the steps: the page stays usable meanwhile.
  const isReady = useDeferredValue(true, false);
  const isWhole = selected === undefined || selected === steps[0];
  const choose = (step: string) => {
    change({ step });
    // On a phone the detail is below all steps.
    if (matchMedia("(max-width: 860px)").matches) detail.current?.scrollIntoView({ block: "start" });
  };
  const first = (
    <section className="steps-pane" aria-label="Steps of the run">
      {isLoading ? (
        <div className="card-body">
          <Skeleton lines={4} />
        </div>
      ) : steps.length === 0 ? (
        <p className="card-body soft">
          {run.status === "RUNNING" ? "Its first step is under way." : "Nothing has been done yet."}
        </p>
      ) : (
        <Waterfall steps={steps} selected={selected?.id} onSelect={choose} />
      )}
      {hasNoTrace && steps.length > 0 && (
        <p className="steps-about small faint">
          This run has no trace, so the steps come from its record. Tracing is the setting “tracing”.
        </p>
      )}
    </section>
  );
  const second = (
    <section
      ref={detail}
      className="detail-pane"
      aria-label={isWhole ? "The run" : "The chosen step"}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach
      tabIndex={0}
    >
      {!isReady ? (
        <Skeleton lines={6} />
      ) : isWhole ? (
        <RunDetail place={place} run={run} progress={progress} step={selected} />
      ) : (
        <StepDetail step={selected} prompt={prompts.get(selected.id)} address={addressOf(selected.id)} />
      )}
    </section>
  );
  return <Resizable name="run" label="Width of the steps" first={first} second={second} />;
}

const addressOf = (step: string): string => {
  const address = new URL(location.href);
  address.searchParams.set("step", step);
  return address.href;
};
