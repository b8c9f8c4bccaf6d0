import { Bot, Cpu, Footprints, Users, Workflow, Wrench } from "lucide-react";
import { durationText } from "../../parts/time.tsx";
import { useSeconds } from "../../parts/use-seconds.ts";
import type { Step } from "./steps.ts";

const icons = { agent: Bot, team: Users, workflow: Workflow, model: Cpu, tool: Wrench, step: Footprints };

type WaterfallProps = {
  readonly steps: readonly Step[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
};

/** The steps of a run, each with when it began and how long it took; one under way grows. */
export function Waterfall({ steps, selected, onSelect }: WaterfallProps) {
  const now = useSeconds(steps.some(({ isRunning }) => isRunning));
  const lengthOf = ({ start, duration, isRunning }: Step): number =>
    isRunning && start !== undefined ? Math.max(duration, (now - start) / 1000) : duration;
  const starts = steps.flatMap(({ start }) => (start === undefined ? [] : [start]));
  const from = Math.min(...starts);
  const to = Math.max(...steps.map((step) => (step.start ?? from) + lengthOf(step) * 1000));
  const span = Math.max(1, to - from);
  return (
    <div className="waterfall">
      {steps.map((step) => {
        const Icon = icons[step.kind];
        const length = lengthOf(step);
        return (
          <button
            key={step.id}
            type="button"
            className="span-row"
            aria-pressed={selected === step.id}
            onClick={() => onSelect(step.id)}
          >
            <span className="span-name" style={{ paddingLeft: step.depth * 14 }}>
              <Icon size={13} aria-hidden />
              <span className="cut">{step.name}</span>
            </span>
            <span className="span-track">
              {step.start !== undefined && (
                <span
                  className={`span-bar span-bar-${step.failed ? "bad" : step.kind}`}
                  data-running={step.isRunning || undefined}
                  style={{
                    left: `${((step.start - from) / span) * 100}%`,
                    width: `${Math.min(100, (length * 100_000) / span)}%`,
                  }}
                />
              )}
            </span>
            <span className="span-time">{durationText(length)}</span>
          </button>
        );
      })}
    </div>
  );
}
