import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Operations } from "../../../client/index.ts";
import { addressOf } from "../../api/address.ts";
import { useGrowingRows } from "../../api/growing-rows.ts";
import { platform } from "../../api/platform.ts";
import { readingOf } from "../../api/reading-of.ts";
import { sinceOf, spanChoices, useFilters } from "../../api/use-filters.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { Json } from "../../parts/json.tsx";
import { type Filter, Filters, isFiltered } from "../../parts/list/filters.tsx";
import type { Column } from "../../parts/list/list.tsx";
import { ListView, noMatch } from "../../parts/list/list-view.tsx";
import { Page } from "../../parts/page.tsx";
import { Panel, Split } from "../../parts/split.tsx";
import { Time } from "../../parts/time.tsx";

type Query = NonNullable<Operations["listAudit"]["input"]["query"]>;
type AuditRecord = Operations["listAudit"]["answer"]["data"][number];

const names = ["principal", "of", "operation", "target", "outcome", "since", "id"] as const;
type Values = Readonly<Record<(typeof names)[number], string>>;

const outcomes = ["changed", "started", "done", "read", "refused", "failed"] as const;
const outcomeChoices = [
  { id: "", text: "Any outcome" },
  { id: "changed", text: "Changed" },
  { id: "started", text: "Started" },
  { id: "done", text: "Done" },
  { id: "read", text: "Read" },
  { id: "refused", text: "Refused" },
  { id: "failed", text: "Failed" },
];
const outcomeText = (outcome: AuditRecord["outcome"]): string =>
  outcomeChoices.find(({ id }) => id === outcome)?.text ?? outcome;
const PAGE = 100;
const idOf = ({ id }: AuditRecord): string => id;

const filters: readonly Filter<Exclude<keyof Values, "id">>[] = [
  { name: "principal", label: "By", placeholder: "User id" },
  { name: "of", label: "Data of", placeholder: "User id" },
  { name: "operation", label: "Operation", placeholder: "resolveApproval" },
  { name: "target", label: "Target", placeholder: "Id" },
  { name: "outcome", label: "Outcome", choices: outcomeChoices },
  { name: "since", label: "Time", choices: spanChoices },
];

/** Who did what, and whether the record of today is intact. */
export default function Audit() {
  const [values, change, clear] = useFilters(names);
  const query = useMemo(() => queryOf(values), [values]);
  const pages = useInfiniteQuery({
    queryKey: ["audit", "list", query],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      platform.listAudit(
        { query: { ...query, limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) } },
        { signal },
      ),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    structuralSharing: false,
  });
  const { rows } = useGrowingRows(pages.data?.pages, idOf);
  const shown = rows.find(({ id }) => id === values.id);
  return (
    <Page title="Audit" about={<Chain />}>
      <Filters
        filters={filters}
        values={values}
        onChange={(changes) => change({ ...changes, id: "" })}
        onClear={clear}
      />
      <Split
        isChosen={shown !== undefined}
        list={
          <ListView
            label="Audit"
            list={{ rows, reading: readingOf(pages) }}
            keyOf={idOf}
            columns={columns}
            to={({ id }) => addressOf("/audit", { ...values, id })}
            isSelected={({ id }) => id === shown?.id}
            rowHeight={56}
            empty={isFiltered(filters, values) ? noMatch("record") : { title: "Nothing is recorded yet" }}
          />
        }
        detail={
          shown === undefined ? (
            <div className="panel-empty">Nothing is selected</div>
          ) : (
            <Panel title={shown.operation} back="All records" onClose={() => change({ id: "" })}>
              <Json value={shown} />
            </Panel>
          )
        }
      />
    </Page>
  );
}

/** Whether the records of today are as they were written. */
function Chain() {
  const { data } = useQuery({
    queryKey: ["audit", "verify"],
    queryFn: ({ signal }) => platform.verifyAudit({}, { signal }),
    staleTime: 60_000,
  });
  const about = "Who did what to whose data.";
  if (!data) return about;
  return (
    <>
      {about}{" "}
      {data.intact ? (
        <>The chain of today is intact.</>
      ) : (
        <Badge tone="bad">The chain of today is broken: {data.problems[0]?.kind.replaceAll("_", " ")}</Badge>
      )}
    </>
  );
}

function queryOf({ principal, of, operation, target, outcome, since }: Values): Query {
  const after = sinceOf(since);
  return {
    ...(principal && { principal }),
    ...(of && { on_behalf_of: of }),
    ...(operation && { operation }),
    ...(target && { target }),
    ...(isOutcome(outcome) && { outcome }),
    ...(after !== undefined && { created_after: after }),
  };
}

const isOutcome = (text: string): text is (typeof outcomes)[number] => outcomes.some((one) => one === text);

const toneOf: Partial<Record<AuditRecord["outcome"], Tone>> = { refused: "warn", failed: "bad" };

const columns: readonly Column<AuditRecord>[] = [
  {
    id: "what",
    title: "Operation",
    width: "minmax(88px, 1.4fr)",
    cell: ({ operation, target, principal, principal_kind }) => (
      <div className="two-lines">
        <div className="cut">{operation}</div>
        <div className="cut small faint mono wide-only">{Object.values(target).join(" · ")}</div>
        <div className="cut small faint narrow-only">by {principal ?? principal_kind}</div>
      </div>
    ),
  },
  {
    id: "who",
    title: "By",
    // A narrow list has it below the operation.
    from: 640,
    width: "minmax(64px, 1fr)",
    cell: ({ principal, principal_kind, protocol, address, on_behalf_of }) => (
      <div className="two-lines">
        <div className="cut">
          {principal ?? principal_kind}
          {on_behalf_of !== null && <span className="faint"> · data of {on_behalf_of}</span>}
        </div>
        <div className="cut small faint">
          {protocol}
          {address !== null && ` · ${address}`}
        </div>
      </div>
    ),
  },
  {
    id: "outcome",
    title: "Outcome",
    width: "84px",
    cell: ({ outcome }) => <Badge tone={toneOf[outcome] ?? "plain"}>{outcomeText(outcome)}</Badge>,
  },
  { id: "when", title: "When", width: "56px", end: true, cell: ({ at_ms }) => <Time at={at_ms / 1000} /> },
];
