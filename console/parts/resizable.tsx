import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";

type ResizableProps = {
  /** Under which the reader's choice is kept in the browser. */
  readonly name: string;
  /** What the two panes are, for those who do not see the line between them. */
  readonly label: string;
  readonly first: ReactNode;
  readonly second: ReactNode;
};

const [LEAST, MOST] = [20, 80];
/** Percent of the width that the first pane has until the reader chooses. */
const AT_FIRST = 42;
const BY_KEY = 4;

const between = (share: number): number => Math.round(Math.min(MOST, Math.max(LEAST, share)));

/** Two panes that scroll by themselves, with a line between them that is moved by pointer or arrow keys; one below the other on a phone. */
export function Resizable({ name, label, first, second }: ResizableProps) {
  const storedAs = `agent-platform.split.${name}`;
  const [share, setShare] = useState(() =>
    between(Number(localStorage.getItem(storedAs) ?? AT_FIRST) || AT_FIRST),
  );
  const whole = useRef<HTMLDivElement>(null);
  const keep = (next: number) => {
    setShare(between(next));
    localStorage.setItem(storedAs, String(between(next)));
  };
  const drag = (event: PointerEvent<HTMLHRElement>) => {
    const box = whole.current?.getBoundingClientRect();
    if (!box || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
    keep(((event.clientX - box.left) / box.width) * 100);
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -BY_KEY, ArrowRight: BY_KEY }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    keep(share + by);
  };
  return (
    <div className="resizable" ref={whole} style={{ "--share": `${share}%` } as React.CSSProperties}>
      <div className="resizable-pane resizable-first">{first}</div>
      <hr
        className="resizable-line"
        aria-label={label}
        aria-orientation="vertical"
        aria-valuenow={share}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        tabIndex={0}
        onKeyDown={press}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
      />
      <div className="resizable-pane">{second}</div>
    </div>
  );
}
