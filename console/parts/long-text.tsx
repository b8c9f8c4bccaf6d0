import { ChevronDown, ChevronUp } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { countText } from "./amounts.ts";
import { Button } from "./button.tsx";
import { TextField } from "./form/fields.tsx";

/** Shorter texts are shown whole, without a search. */
const LONG = 2_000;
/** Characters that are shown of a longer one until the reader asks for all. */
const SHOWN = 1_200;
const MOST_FOUND = 500;

type LongTextProps = {
  readonly text: string;
  /** What is searched, for those who do not see it. */
  readonly label: string;
  /** How the text is shown while nothing is searched. */
  readonly children: (text: string) => ReactNode;
};

/** A text that is folded where it is long, and can be searched then. */
export function LongText({ text, label, children }: LongTextProps) {
  const [isOpen, setOpen] = useState(false);
  const [sought, setSought] = useState("");
  const [at, setAt] = useState(0);
  const found = useMemo(() => placesOf(text, sought), [text, sought]);
  if (text.length <= LONG) return children(text);
  const go = (by: number) => setAt((before) => (before + by + found.length) % Math.max(1, found.length));
  return (
    <div className="long-text stack-tight">
      <div className="long-text-head">
        <TextField
          label={`Search in: ${label}`}
          hideLabel
          placeholder="Search in this text"
          value={sought}
          onChange={(next) => {
            setSought(next);
            setAt(0);
          }}
          onKeyDown={({ key, shiftKey }) => {
            if (key === "Enter") go(shiftKey ? -1 : 1);
          }}
        />
        {sought !== "" && (
          <>
            <span className="small faint number" role="status">
              {found.length === 0
                ? "not found"
                : `${at + 1} of ${countText(found.length)}${found.length === MOST_FOUND ? "+" : ""}`}
            </span>
            <Button
              kind="plain"
              size="small"
              icon={<ChevronUp size={14} aria-hidden />}
              label="Previous"
              isDisabled={found.length === 0}
              onPress={() => go(-1)}
            />
            <Button
              kind="plain"
              size="small"
              icon={<ChevronDown size={14} aria-hidden />}
              label="Next"
              isDisabled={found.length === 0}
              onPress={() => go(1)}
            />
          </>
        )}
      </div>
      {sought !== "" ? (
        <Found text={text} places={found} length={sought.length} at={at} />
      ) : (
        children(isOpen ? text : `${text.slice(0, SHOWN)}…`)
      )}
      {sought === "" && (
        <div>
          <Button kind="plain" size="small" onPress={() => setOpen(!isOpen)}>
            {isOpen ? "Fold" : `Show all ${countText(text.length)} characters`}
          </Button>
        </div>
      )}
    </div>
  );
}

function placesOf(text: string, sought: string): readonly number[] {
  if (sought === "") return [];
  const [within, what] = [text.toLowerCase(), sought.toLowerCase()];
  const places: number[] = [];
  for (
    let at = within.indexOf(what);
    at >= 0 && places.length < MOST_FOUND;
    at = within.indexOf(what, at + what.length)
  )
    places.push(at);
  return places;
}

type FoundProps = {
  readonly text: string;
  readonly places: readonly number[];
  readonly length: number;
  readonly at: number;
};

/** The text with what was found marked; the one that the reader is at is in view. */
function Found({ text, places, length, at }: FoundProps) {
  const current = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is another mark
  useEffect(() => current.current?.scrollIntoView({ block: "nearest" }), [at, places]);
  const parts = places.flatMap((place, index) => {
    const before = index === 0 ? 0 : (places[index - 1] ?? 0) + length;
    const isCurrent = index === at;
    return [
      text.slice(before, place),
      <mark key={place} ref={isCurrent ? current : null} data-current={isCurrent || undefined}>
        {text.slice(place, place + length)}
      </mark>,
    ];
  });
  const last = places.at(-1);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach
    <pre className="code" dir="auto" tabIndex={0}>
      {parts}
      {text.slice(last === undefined ? 0 : last + length)}
    </pre>
  );
}
