import { ShieldCheck } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import type { Approval } from "../../../client/index.ts";
import { useMe } from "../../access/use-me.ts";
import { addressOf } from "../../api/address.ts";
import { platform } from "../../api/platform.ts";
import { componentOf, useComponentChoices } from "../../api/use-component-choices.ts";
import { useFilters } from "../../api/use-filters.ts";
import { usePagedList } from "../../api/use-paged-list.ts";
import { countText } from "../../parts/amounts.ts";
import { type Filter, Filters } from "../../parts/list/filters.tsx";
import { type Emptiness, ListView, noMatch } from "../../parts/list/list-view.tsx";
import { useListKeys } from "../../parts/list/use-list-keys.ts";
import { Page } from "../../parts/page.tsx";
import { Split } from "../../parts/split.tsx";
import { columnsFor } from "./approval-columns.tsx";
import { ApprovalDetail } from "./approval-detail.tsx";
import type { Decided } from "./resolve.ts";

const names = ["status", "component", "question", "user", "run", "id"] as const;
type Values = Readonly<Record<(typeof names)[number], string>>;

const statuses = ["pending", "approved", "rejected", "expired", "cancelled"] as const;
/** What an address without a status means: the inbox. Of one run all are shown. */
const statusChoices = [
  { id: "", text: "Pending" },
  { id: "approved", text: "Approved" },
  { id: "rejected", text: "Rejected" },
  { id: "expired", text: "Expired" },
  { id: "cancelled", text: "Cancelled" },
  { id: "all", text: "All" },
];
const statusChoicesOfRun = [{ id: "", text: "All" }, ...statusChoices.slice(1, -1)];
const questionChoices = [
  { id: "", text: "All questions" },
  { id: "confirmation", text: "Confirmation" },
  { id: "user_input", text: "Input" },
  { id: "external_execution", text: "Result from outside" },
];

/** What waits for a decision, and what was decided. */
export default function Approvals() {
  const { is_admin } = useMe();
  const [values, change, clear] = useFilters(names);
  const { status, component, question, user, run, id } = values;
  const [asked, setAsked] = useState<Decided["status"]>();
  const query = useMemo(() => queryOf(values), [values]);
  const list = usePagedList<Approval>({
    key: ["approvals", "list", query],
    read: (page, signal) => platform.listApprovals({ query: { ...query, ...page } }, { signal }),
    idOf: (approval) => approval.id,
  });
  const { rows } = list;
  // An address that names a run means its approval.
  const selected = id || (run && rows[0]?.id) || undefined;
  const shown = selected ?? rows[0]?.id;
  const known = rows.find((row) => row.id === shown);
  const next = rows.find((row) => row.id !== shown && row.status === "pending")?.id;
  const isFiltered = [component, question, user, run].some((value) => value !== "");
  const select = useCallback(
    (next: string) => {
      setAsked(undefined);
      change({ id: next });
    },
    [change],
  );
  const acts = useMemo(() => {
    if (known?.status !== "pending") return {};
    return { a: () => setAsked("approved"), r: () => setAsked("rejected") };
  }, [known?.status]);
  const ids = useMemo(() => rows.map((row) => row.id), [rows]);
  useListKeys({ ids, selected: shown, onSelect: select, acts });
  const filters: readonly Filter<keyof Values>[] = [
    {
      name: "status",
      label: "Status",
      choices: run && status === "" ? statusChoicesOfRun : statusChoices,
      areShown: true,
    },
    { name: "component", label: "Component", choices: useComponentChoices(component) },
    { name: "question", label: "Question", choices: questionChoices },
    { name: "user", label: "Asked by", placeholder: "User id", isHidden: !is_admin },
  ];
  const columns = useMemo(() => columnsFor(query.status), [query.status]);
  return (
    <Page title="Approvals" about="Calls of tools that wait for a person, and what was decided.">
      <Filters
        filters={filters}
        values={values}
        onChange={(changes) => change({ ...changes, id: "" })}
        onClear={clear}
        canClear={isFiltered || status !== ""}
      />
      {run !== "" && (
        <p className="small soft">Only the approvals of one run are shown. “Clear” shows those of all.</p>
      )}
      <Split
        isChosen={selected !== undefined}
        list={
          <ListView
            label="Approvals"
            list={list}
            keyOf={(row) => row.id}
            columns={columns}
            to={(row) => addressOf("/approvals", { ...values, id: row.id })}
            isSelected={(row) => row.id === shown}
            rowHeight={60}
            foot={footOf(list.total, query.status)}
            empty={
              isFiltered
                ? noMatch("approval", "Remove a filter, or look at another status.")
                : query.status === "pending"
                  ? noneWaits
                  : { title: `No approval is ${query.status ?? "stored"}` }
            }
          />
        }
        detail={
          shown === undefined ? (
            <div className="panel-empty">Nothing is selected</div>
          ) : (
            <ApprovalDetail
              key={shown}
              id={shown}
              known={known}
              asked={asked}
              onAsked={setAsked}
              // What was decided stays in view: the next one under the same button would be decided unread.
              onDecide={() => change({ id: shown })}
              onNext={next === undefined ? undefined : () => select(next)}
              onClose={selected === undefined ? undefined : () => change({ id: "", run: "" })}
            />
          )
        }
      />
    </Page>
  );
}

function footOf(total: number | undefined, status: string | undefined): string | undefined {
  if (total === undefined) return undefined;
  const of = countText(total);
  if (status === "pending") return total === 1 ? "1 waits for a decision" : `${of} wait for a decision`;
  return total === 1 ? "1 approval" : `${of} approvals`;
}

const noneWaits: Emptiness = {
  title: "Nothing waits for you",
  icon: ShieldCheck,
  text: "When an agent wants to call a tool that needs an approval, the call appears here with all that it would do.",
};

function queryOf({ status, component, question, user, run }: Values) {
  const chosen = componentOf(component);
  const isOne = (text: string): text is (typeof statuses)[number] => statuses.some((one) => one === text);
  const wanted = isOne(status) ? status : status === "" && run === "" ? ("pending" as const) : undefined;
  return {
    ...(wanted && { status: wanted }),
    ...(chosen && { [`${chosen.kind}_id`]: chosen.id }),
    ...(question && { pause_type: question }),
    ...(user && { user_id: user }),
    ...(run && { run_id: run }),
  };
}
