import { ChevronRight, ScrollText } from "lucide-react";
import { useId, useLayoutEffect, useRef, useState } from "react";
import { useFilters } from "../../api/use-filters.ts";
import { countText } from "../../parts/amounts.ts";
import { Segments } from "../../parts/form/segments.tsx";
import { Json } from "../../parts/json.tsx";
import { Card } from "../../parts/page.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import { exactText } from "../../parts/time.tsx";
import { type LogLine, useRunLog } from "./use-run-log.ts";

const names = ["level"] as const;
const choices = [
  { id: "all", text: "All lines" },
  { id: "problems", text: "Warnings and errors" },
];
const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});
/** Nearer to the end than this, in pixels, the reader follows what is added. */
const NEAR_END = 40;

/** The platform's own log lines of a run: the newest at the bottom, where the reader stays while it is added to. */
export function RunLog({ run_id, isLive }: { readonly run_id: string; readonly isLive: boolean }) {
  const [{ level }, change] = useFilters(names);
  const { data, error, refetch } = useRunLog(run_id, isLive);
  const shown = (data?.lines ?? []).filter((line) => level !== "problems" || isProblem(line));
  if (!data) {
    return (
      <Card title="Log">
        {error ? <Failed error={error} retry={() => refetch()} /> : <Skeleton lines={8} />}
      </Card>
    );
  }
  return (
    <Card
      title="Log"
      flush
      actions={
        <Segments
          label="Lines"
          choices={choices}
          value={level === "problems" ? level : "all"}
          onChange={(id) => change({ level: id === "all" ? "" : id })}
        />
      }
    >
      {shown.length === 0 ? (
        <Empty
          title={data.lines.length === 0 ? "No lines yet" : "No warnings and no errors"}
          icon={<ScrollText size={28} aria-hidden />}
        >
          <p>
            {data.lines.length === 0
              ? "A line appears some seconds after it was written. What was said in a run is never logged."
              : `All ${countText(data.lines.length)} lines show nothing unusual.`}
          </p>
        </Empty>
      ) : (
        <Lines lines={shown} />
      )}
      {data.isCut && (
        <p className="log-foot">
          These are the first {countText(data.lines.length)} lines. GET /runs/{run_id}/log has the others.
        </p>
      )}
    </Card>
  );
}

const isProblem = ({ level }: LogLine): boolean => /warn|error|critical|fatal/i.test(level);

function Lines({ lines }: { readonly lines: readonly LogLine[] }) {
  const scroll = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const count = lines.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what has been added that moves the end
  useLayoutEffect(() => {
    const at = scroll.current;
    if (at && follows.current) at.scrollTop = at.scrollHeight;
  }, [count]);
  return (
    <section
      className="log"
      aria-label="Log lines"
      ref={scroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach
      tabIndex={0}
      onScroll={({ currentTarget: at }) => {
        follows.current = at.scrollHeight - at.scrollTop - at.clientHeight < NEAR_END;
      }}
    >
      <ol>
        {lines.map((line) => (
          <li key={line.key} className="log-line">
            <OneLine line={line} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function OneLine({ line }: { readonly line: LogLine }) {
  const { time, level, function: name, message, fields } = line;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className="log-head"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight size={13} className="tool-arrow" aria-hidden />
        <time dateTime={time} title={exactText(time)} className="faint">
          {clock.format(new Date(time))}
        </time>
        <span className={isProblem(line) ? "log-level log-level-problem" : "log-level"}>
          {level.toUpperCase()}
        </span>
        <span className="log-function faint cut">{name}</span>
        <span className="log-message">{message}</span>
      </button>
      {isOpen && (
        <div className="log-fields" id={id}>
          <Json value={fields} />
        </div>
      )}
    </>
  );
}
