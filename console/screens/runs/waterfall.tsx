import { Bot, Cpu, Footprints, Hourglass, Users, Workflow, Wrench } from "lucide-react";
import { type KeyboardEvent, memo, useEffect, useId, useMemo, useRef } from "react";
import { costText, shortCount } from "../../parts/amounts.ts";
import { useWindow } from "../../parts/list/use-window.ts";
import { durationText } from "../../parts/time.tsx";
import { useSeconds } from "../../parts/use-seconds.ts";
import type { Step } from "./steps.ts";

const icons = {
  agent: Bot,
  team: Users,
  workflow: Workflow,
  model: Cpu,
  tool: Wrench,
  step: Footprints,
  wait: Hourglass,
};
export const kindNames = {
  agent: "Agent",
  team: "Team",
  workflow: "Workflow",
  model: "Model call",
  tool: "Tool call",
  step: "Step",
  wait: "Wait",
};

const ROW = 48;
const INDENT = 16;
const OVERSCAN = 8;

type WaterfallProps = {
  readonly steps: readonly Step[];
  readonly selected: string | undefined;
  readonly onSelect: (id: string) => void;
};

/**
 * The steps of a run, each with when it began, how long it took and what it used; one under way grows. Arrow keys lead through
 * them. Only the rows in view are there, so that a thousand steps take no more time than ten.
 */
export function Waterfall({ steps, selected, onSelect }: WaterfallProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const { from, to } = useWindow(scroll, { count: steps.length, rowHeight: ROW, overscan: OVERSCAN });
  const now = useSeconds(steps.some(({ isRunning }) => isRunning));
  const scale = useMemo(() => scaleOf(steps, now), [steps, now]);
  const at = steps.findIndex(({ id }) => id === selected);
  const idOf = useId();
  useShown(scroll, at);
  const press = (event: KeyboardEvent) => {
    const next = steps[reached(steps, at, event.key)];
    if (!next) return;
    event.preventDefault();
    onSelect(next.id);
  };
  return (
    <div
      ref={scroll}
      className="waterfall"
      role="tree"
      aria-label="Steps"
      tabIndex={0}
      {...(at >= from && at < to && { "aria-activedescendant": `${idOf}-${at}` })}
      onKeyDown={press}
    >
      <div role="none" style={{ height: from * ROW }} />
      {steps.slice(from, to).map((step, index) => (
        <Row
          key={step.id}
          id={`${idOf}-${from + index}`}
          step={step}
          length={lengthOf(step, now)}
          scale={scale}
          place={from + index + 1}
          count={steps.length}
          isSelected={step.id === selected}
          onSelect={onSelect}
        />
      ))}
      <div role="none" style={{ height: Math.max(0, steps.length - to) * ROW }} />
    </div>
  );
}

/** The row that a key leads to: the next, the previous, the one around, the first within, the first and the last. */
function reached(steps: readonly Step[], at: number, key: string): number {
  const depth = steps[at]?.depth ?? 0;
  switch (key) {
    case "ArrowDown":
      return at + 1;
    case "ArrowUp":
      return at - 1;
    case "ArrowLeft":
      return steps.slice(0, Math.max(0, at)).findLastIndex((step) => step.depth < depth);
    case "ArrowRight":
      return (steps[at + 1]?.depth ?? 0) > depth ? at + 1 : -1;
    case "Home":
      return 0;
    case "End":
      return steps.length - 1;
    default:
      return -1;
  }
}

/** Scrolls a row into view when it becomes the selected one. */
function useShown(scroll: React.RefObject<HTMLElement | null>, at: number): void {
  useEffect(() => {
    const element = scroll.current;
    if (!element || at < 0) return;
    const top = at * ROW;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW > element.scrollTop + element.clientHeight)
      element.scrollTop = top + ROW - element.clientHeight;
  }, [scroll, at]);
}

/** Milliseconds. */
type Scale = { readonly from: number; readonly span: number };

/** How much of the width is left for a wait that goes on: as long as it is, all that was done before would be a line. */
const SHARE_OF_WAIT = 0.2;

function scaleOf(steps: readonly Step[], now: number): Scale {
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const step of steps) {
    if (step.start === undefined) continue;
    from = Math.min(from, step.start);
    if (!waitsStill(step)) to = Math.max(to, step.start + lengthOf(step, now) * 1000);
  }
  const span = Math.max(1, to - from);
  return { from, span: steps.some(waitsStill) ? span / (1 - SHARE_OF_WAIT) : span };
}

const waitsStill = ({ kind, isRunning }: Step): boolean => kind === "wait" && isRunning === true;

const lengthOf = ({ start, duration, isRunning }: Step, now: number): number =>
  isRunning && start !== undefined ? Math.max(duration, (now - start) / 1000) : duration;

type RowProps = {
  readonly id: string;
  readonly step: Step;
  /** Seconds. */
  readonly length: number;
  readonly scale: Scale;
  readonly place: number;
  readonly count: number;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
};

const Row = memo(function Row({ id, step, length, scale, place, count, isSelected, onSelect }: RowProps) {
  const { kind, name, depth, start, failed, isRunning, usage } = step;
  const Icon = icons[kind];
  const left = (((start ?? scale.from) - scale.from) / scale.span) * 100;
  const tokens = usage && (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  const cost = usage?.cost === undefined ? undefined : costText(usage);
  const figures = [tokens ? `${shortCount(tokens)} tokens` : undefined, cost].filter(Boolean).join(" · ");
  return (
    // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the tree has the focus, and takes the keys
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-posinset={place}
      aria-setsize={count}
      aria-selected={isSelected}
      className="span-row"
      onClick={() => onSelect(step.id)}
    >
      <div className="span-head" style={{ paddingLeft: depth * INDENT }}>
        <Icon
          size={14}
          role="img"
          aria-label={kindNames[kind]}
          className={failed ? "span-failed" : `span-${kind}`}
        />
        <span className="span-name cut" title={name}>
          {name}
        </span>
        {failed && <span className="hidden-visually">failed</span>}
        <span className="span-figures">{figures}</span>
        <span className="span-time">{durationText(length)}</span>
      </div>
      <div className="span-track" aria-hidden>
        {start !== undefined && (
          <span
            className={`span-bar span-bar-${failed ? "bad" : kind}`}
            data-running={isRunning || undefined}
            style={{
              left: `${left}%`,
              width: `${Math.min(100 - left, (length * 100_000) / scale.span)}%`,
            }}
          />
        )}
      </div>
    </div>
  );
});
