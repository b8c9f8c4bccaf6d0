import { type ReactNode, useMemo } from "react";
import { CopyButton } from "./id.tsx";
import { LongText } from "./long-text.tsx";

/** A value as indented JSON, coloured; all of it is text. */
export function Json({ value, label = "Copy JSON" }: { readonly value: unknown; readonly label?: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? "undefined", [value]);
  return <JsonText text={text} whole={text} label={label} />;
}

type JsonTextProps = {
  /** As much of it as is shown. */
  readonly text: string;
  readonly whole: string;
  readonly label: string;
};

function JsonText({ text, whole, label }: JsonTextProps) {
  const shown = useMemo(() => coloured(text), [text]);
  return (
    <div className="json">
      <div className="json-copy">
        <CopyButton text={whole} label={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach */}
      <pre className="code" tabIndex={0}>
        {shown}
      </pre>
    </div>
  );
}

/** Above this colours cost more than they help. */
const MOST_COLOURED = 60_000;
const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function coloured(text: string): ReactNode {
  if (text.length > MOST_COLOURED) return text;
  const parts: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKENS)) {
    parts.push(text.slice(at, match.index));
    const [token, quoted, colon] = match;
    const kind = quoted === undefined ? "code-value" : colon === undefined ? "code-text" : "code-key";
    parts.push(
      <span key={match.index} className={kind}>
        {quoted ?? token}
      </span>,
      colon,
    );
    at = match.index + token.length;
  }
  parts.push(text.slice(at));
  return parts;
}

/** A tool's result and the like: JSON where it is JSON, else text. */
export function TextOrJson({ text }: { readonly text: string }) {
  const value = useMemo(() => parsed(text), [text]);
  return value === undefined ? (
    <div className="plain-text" dir="auto">
      {text}
    </div>
  ) : (
    <Json value={value} />
  );
}

/** The same where it may be long: folded then, and with a search. */
export function LongTextOrJson({ text, label }: { readonly text: string; readonly label: string }) {
  const value = useMemo(() => parsed(text), [text]);
  const shown = useMemo(() => (value === undefined ? text : JSON.stringify(value, null, 2)), [text, value]);
  return (
    <LongText text={shown} label={label}>
      {(part) =>
        value === undefined ? (
          <div className="plain-text" dir="auto">
            {part}
          </div>
        ) : (
          <JsonText text={part} whole={shown} label="Copy JSON" />
        )
      }
    </LongText>
  );
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
