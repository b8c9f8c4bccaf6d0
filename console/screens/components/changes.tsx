import { diffLines } from "diff";
import { useMemo } from "react";
import type { ConfigVersion } from "../../../client/index.ts";
import { countOf } from "../../parts/amounts.ts";
import { Select } from "../../parts/form/select.tsx";
import { Card } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { changedFields, sorted } from "./changed-fields.ts";
import { valueText } from "./described.ts";
import { useVersion } from "./use-components.ts";

type ChangesProps = {
  readonly id: string;
  readonly versions: readonly ConfigVersion[];
  readonly from: number;
  readonly to: number;
  readonly onChange: (changes: { readonly from?: string; readonly to?: string }) => void;
};

/** What differs between two versions. */
export function Changes({ id, versions, from, to, onChange }: ChangesProps) {
  const before = useVersion(id, from);
  const after = useVersion(id, to);
  const choices = versions.map(({ version, stage, label }) => ({
    id: String(version),
    text: `Version ${version}${label === undefined ? "" : ` “${label}”`}${stage === "draft" ? ", a draft" : ""}`,
  }));
  const error = before.error ?? after.error;
  return (
    <div className="stack">
      <div className="filters">
        <Select
          label="From"
          choices={choices}
          value={String(from)}
          onChange={(one) => onChange({ from: one })}
        />
        <Select label="To" choices={choices} value={String(to)} onChange={(one) => onChange({ to: one })} />
      </div>
      {before.data && after.data ? (
        <Difference before={before.data.config ?? {}} after={after.data.config ?? {}} />
      ) : error ? (
        <Failed
          error={error}
          retry={() => {
            void before.refetch();
            void after.refetch();
          }}
        />
      ) : (
        <Skeleton lines={6} />
      )}
    </div>
  );
}

type Config = Readonly<Record<string, unknown>>;

/** Two configs: which fields differ, and the lines that do. */
export function Difference({ before, after }: { readonly before: Config; readonly after: Config }) {
  const fields = useMemo(() => changedFields(before, after), [before, after]);
  const lines = useMemo(() => linesOf(before, after), [before, after]);
  if (fields.length === 0) return <p className="soft">The two configs are the same.</p>;
  return (
    <>
      <Card title={countOf(fields.length, "field differs", "fields differ")} flush>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach */}
        <section className="scroll-x" tabIndex={0} aria-label="Fields that differ">
          <table className="table changed-fields">
            <thead>
              <tr>
                <th>Field</th>
                <th>Before</th>
                <th>After</th>
              </tr>
            </thead>
            <tbody>
              {fields.map(({ path, before: old, after: now }) => (
                <tr key={path}>
                  <td>
                    <code>{path}</code>
                  </td>
                  <td>
                    {old === undefined ? <span className="faint">not set</span> : <Short value={old} />}
                  </td>
                  <td>
                    {now === undefined ? <span className="faint">taken out</span> : <Short value={now} />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Card>
      <Card title="As JSON" flush>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must reach */}
        <section className="diff" tabIndex={0} aria-label="Lines that differ">
          {lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            <div key={at} className={`diff-line diff-${line.kind}`}>
              <span className="diff-mark">{marks[line.kind]}</span>
              {line.text}
            </div>
          ))}
        </section>
      </Card>
    </>
  );
}

const marks = { same: " ", added: "+", removed: "−", left: "" } as const;
const SHOWN_CHARS = 200;

function Short({ value }: { readonly value: unknown }) {
  const text = Array.isArray(value)
    ? value.map(itemText).join("\n")
    : valueText(value) || JSON.stringify(value);
  return (
    <div className="plain-text" dir="auto">
      {text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text}
    </div>
  );
}

/** One of a list: tools and the like by their name where that is all they have. */
function itemText(item: unknown): string {
  const { name, ...rest } = (typeof item === "object" && item !== null ? item : {}) as Config;
  return typeof name === "string" && Object.keys(rest).length === 0 ? name : valueText(item);
}

type Line = { readonly kind: keyof typeof marks; readonly text: string };
/** Lines around a change that are shown. */
const AROUND = 3;

function linesOf(before: Config, after: Config): readonly Line[] {
  const text = (config: Config) => `${JSON.stringify(sorted(config), null, 2)}\n`;
  const lines = diffLines(text(before), text(after)).flatMap(({ value, added, removed }) =>
    value
      .replace(/\n$/, "")
      .split("\n")
      .map((line): Line => ({ kind: added ? "added" : removed ? "removed" : "same", text: line })),
  );
  return withoutDistant(lines);
}

/** Leaves out what is the same and far from every change, and says how much that was. */
function withoutDistant(lines: readonly Line[]): readonly Line[] {
  const changed = lines.flatMap(({ kind }, at) => (kind === "same" ? [] : [at]));
  const near = new Set(
    changed.flatMap((at) => Array.from({ length: 2 * AROUND + 1 }, (_, offset) => at - AROUND + offset)),
  );
  const shown: Line[] = [];
  let left = 0;
  const pushSkipped = () => {
    if (left > 0)
      shown.push({ kind: "left", text: left === 1 ? "1 line is the same" : `${left} lines are the same` });
    left = 0;
  };
  for (const [at, line] of lines.entries()) {
    if (!near.has(at)) {
      left += 1;
      continue;
    }
    pushSkipped();
    shown.push(line);
  }
  pushSkipped();
  return shown;
}
