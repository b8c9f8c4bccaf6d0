import { SlidersHorizontal } from "lucide-react";
import { type ReactNode, useId, useMemo, useState } from "react";
import { useMe } from "../../../access/use-me.ts";
import { kindChoices } from "../../../api/kinds.ts";
import { sinceOf, spanChoices } from "../../../api/use-filters.ts";
import { useKnownUsers } from "../../../api/use-known-users.ts";
import { useRunnables } from "../../../api/use-runnables.ts";
import { statusText } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { Combo } from "../../../parts/form/combo.tsx";
import { TextField } from "../../../parts/form/fields.tsx";
import { SearchChoice } from "../../../parts/form/search-choice.tsx";
import { Select } from "../../../parts/form/select.tsx";
import { type Filter, Filters, isFiltered } from "../../../parts/list/filters.tsx";
import { SearchField } from "../../../parts/list/search-field.tsx";
import type { RunFilter } from "../use-run-list.ts";

export const filterNames = [
  "q",
  "component",
  "status",
  "since",
  "from",
  "to",
  "user",
  "kind",
  "tool",
  "error",
  "version",
  "cost",
  "took",
  "feedback",
  "verdict",
] as const;
type Name = (typeof filterNames)[number];
export type RunFilters = Readonly<Record<Name, string>>;

const statuses = ["RUNNING", "PENDING", "PAUSED", "COMPLETED", "ERROR", "CANCELLED"] as const;
const statusChoices = [
  { id: "", text: "Any status" },
  ...statuses.map((id) => ({ id, text: statusText(id) })),
];
const OWN = "own";
const timeChoices = [...spanChoices, { id: OWN, text: "From … to" }];

const feedbackChoices = [
  { id: "", text: "Any feedback, or none" },
  { id: "thumb:0", text: "Called bad" },
  { id: "thumb:1", text: "Called good" },
  { id: "correction", text: "Corrected" },
];

const verdictChoices = [
  { id: "", text: "Any verdict, or none" },
  { id: "passed", text: "Passed" },
  { id: "not_passed", text: "Not passed" },
] as const;

/** Those that are shown when the reader asks for more, or when one of them is set. */
const more: readonly Filter<Name>[] = [
  { name: "kind", label: "Kind", choices: kindChoices },
  { name: "tool", label: "Tool", placeholder: "Name of a tool" },
  { name: "error", label: "Error contains" },
  { name: "version", label: "Version", placeholder: "2" },
  { name: "cost", label: "Costs at least", placeholder: "0.05 dollars" },
  { name: "took", label: "Took at least", placeholder: "30 seconds" },
  { name: "feedback", label: "Feedback", choices: feedbackChoices },
  { name: "verdict", label: "Judged as", choices: verdictChoices },
];
const all: readonly Filter<Name>[] = filterNames.map((name) => ({ name, label: name }));

/** Whether a filter may leave runs out. */
export const isRunFiltered = (values: RunFilters): boolean => isFiltered(all, values);

type RunFiltersProps = {
  readonly values: RunFilters;
  readonly onChange: (changes: Partial<Record<Name, string>>) => void;
  /** Stands behind the filters. */
  readonly children: ReactNode;
};

/** What runs are found by. */
export function RunFilterBar({ values, onChange, children }: RunFiltersProps) {
  const { is_admin } = useMe();
  const [wantsMore, setWantsMore] = useState(false);
  const areMoreShown = wantsMore || isFiltered(more, values);
  const moreId = useId();
  const hasOwnTime = values.from !== "" || values.to !== "" || values.since === OWN;
  return (
    <div className="stack-tight">
      <div className="filters">
        <SearchField label="Search" placeholder="Words" value={values.q} onChange={(q) => onChange({ q })} />
        <ComponentChoice value={values.component} onChange={(component) => onChange({ component })} />
        <Select
          label="Status"
          choices={statusChoices}
          value={values.status}
          onChange={(status) => onChange({ status })}
        />
        <Select
          label="Time"
          choices={timeChoices}
          value={hasOwnTime ? OWN : values.since}
          onChange={(since) => onChange({ since, from: "", to: "" })}
        />
        {hasOwnTime && (
          <>
            <TimeField label="From" value={values.from} onChange={(from) => onChange({ from })} />
            <TimeField label="To" value={values.to} onChange={(to) => onChange({ to })} />
          </>
        )}
        {is_admin && <UserChoice value={values.user} onChange={(user) => onChange({ user })} />}
        <Button
          icon={<SlidersHorizontal size={14} aria-hidden />}
          aria-expanded={areMoreShown}
          aria-controls={moreId}
          onPress={() => setWantsMore(!areMoreShown)}
        >
          More filters
        </Button>
        {children}
      </div>
      <div id={moreId}>
        <Filters
          filters={areMoreShown ? more : []}
          values={values}
          onChange={onChange}
          canClear={isRunFiltered(values)}
          onClear={() => {
            setWantsMore(false);
            onChange(Object.fromEntries(filterNames.map((name) => [name, ""])));
          }}
        />
      </div>
    </div>
  );
}

type ChoiceProps = { readonly value: string; readonly onChange: (value: string) => void };

function ComponentChoice({ value, onChange }: ChoiceProps) {
  const { runnables } = useRunnables();
  const choices = useMemo(() => {
    const known = runnables.map(({ kind, id, name }) => ({ id, text: name || id, about: `${kind} ${id}` }));
    const distinct = [...new Map(known.map((one) => [one.id, one])).values()];
    const isKnown = value === "" || distinct.some(({ id }) => id === value);
    return [
      { id: "", text: "All components" },
      ...distinct,
      ...(isKnown ? [] : [{ id: value, text: value }]),
    ];
  }, [runnables, value]);
  return (
    <Combo
      // A combo box reads its text once: what it is called is known later than its id.
      key={`${value} ${choices.find(({ id }) => id === value)?.text}`}
      label="Component"
      placeholder="All components"
      choices={choices}
      value={value}
      onChange={onChange}
    />
  );
}

function UserChoice({ value, onChange }: ChoiceProps) {
  const users = useKnownUsers();
  return <SearchChoice label="User" placeholder="User id" texts={users} value={value} onChange={onChange} />;
}

type TimeFieldProps = ChoiceProps & { readonly label: string };

/** A time of the reader's clock; in the address it is epoch seconds, which mean the same everywhere. */
function TimeField({ label, value, onChange }: TimeFieldProps) {
  return (
    <TextField
      label={label}
      type="datetime-local"
      value={localOf(value)}
      onChange={(text) => {
        const ms = new Date(text).getTime();
        onChange(Number.isNaN(ms) ? "" : String(Math.floor(ms / 1000)));
      }}
    />
  );
}

function localOf(seconds: string): string {
  const at = secondsOf(seconds);
  if (at === undefined) return "";
  const date = new Date(at * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const secondsOf = (text: string): number | undefined => (/^\d{1,12}$/.test(text) ? Number(text) : undefined);
const numberOf = (text: string): number | undefined => {
  const number = Number.parseFloat(text.replace(",", "."));
  return Number.isFinite(number) && number >= 0 ? number : undefined;
};

/** What the platform is asked for. */
export function filterOf(values: RunFilters): RunFilter {
  const { kind, component, user, status, since, from, to, error, q, tool, feedback, verdict } = values;
  const version = secondsOf(values.version);
  const [cost_min, duration_min] = [numberOf(values.cost), numberOf(values.took)];
  const created_after = secondsOf(from) ?? sinceOf(since);
  const before = secondsOf(to);
  return {
    ...((kind === "agent" || kind === "team" || kind === "workflow") && { component_type: kind }),
    ...(component && { component_id: component }),
    ...(user && { user_id: user }),
    ...(isStatus(status) && { status: [status] }),
    ...(created_after !== undefined && { created_after }),
    // A field has whole minutes: the whole of the last one counts.
    ...(before !== undefined && { created_before: before + 59 }),
    ...(error && { error_contains: error }),
    ...(q.trim() && { q: q.trim().slice(0, 500) }),
    ...(tool.trim() && { tool: tool.trim() }),
    ...(version && { version }),
    ...(feedbackChoices.some(({ id }) => id === feedback) && feedback && { feedback }),
    ...((verdict === "passed" || verdict === "not_passed") && { verdict }),
    ...(cost_min !== undefined && { cost_min }),
    ...(duration_min !== undefined && { duration_min }),
  };
}

const isStatus = (text: string): text is (typeof statuses)[number] => statuses.some((one) => one === text);
