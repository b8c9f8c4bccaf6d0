import { MessagesSquare } from "lucide-react";
import { useMemo, useState } from "react";
import type { SessionItem } from "../../../client/index.ts";
import { useMay, useMe } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { componentOf, useComponentChoices } from "../../api/use-component-choices.ts";
import { useFilters } from "../../api/use-filters.ts";
import { usePagedList } from "../../api/use-paged-list.ts";
import { costText, countOf, shortCount } from "../../parts/amounts.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { type Filter, Filters, isFiltered } from "../../parts/list/filters.tsx";
import type { Column } from "../../parts/list/list.tsx";
import { type Emptiness, ListView, noMatch } from "../../parts/list/list-view.tsx";
import { RemovalBar } from "../../parts/list/removal-bar.tsx";
import { useChosen } from "../../parts/list/use-chosen.tsx";
import { Page } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { RemoveSessions } from "./remove-sessions.tsx";
import { RemoveUserData } from "./remove-user-data.tsx";
import { componentOfSession, sessionPath } from "./session-query.ts";

const names = ["name", "component", "user", "sort"] as const;
type Values = Readonly<Record<(typeof names)[number], string>>;

const sortChoices = [
  { id: "", text: "Newest first" },
  { id: "used", text: "Last used first" },
];
/** Searching by name and ordering by use read every session, so what changed is asked for seldom. */
const SELDOM_MS = 60_000;
const idOf = ({ session_id }: SessionItem): string => session_id;

/** Every session that the reader may see. */
export function SessionList() {
  const { is_admin } = useMe();
  const may = useMay();
  const [values, change] = useFilters(names);
  const { name, component, user, sort } = values;
  const query = useMemo(() => queryOf(values), [values]);
  const list = usePagedList<SessionItem>({
    key: ["sessions", "list", query],
    read: (page, signal) => platform.listSessions({ query: { ...query, ...page } }, { signal }),
    idOf,
    ...((name !== "" || sort === "used") && { every: SELDOM_MS }),
  });
  const chosen = useChosen(list.rows, idOf);
  const [isRemoving, setRemoving] = useState(false);
  const mayRemove = may("sessions:delete");
  const columns = useMemo(() => {
    const shown = is_admin ? dataColumns : dataColumns.filter(({ id }) => id !== "user");
    return mayRemove ? [chosen.column(({ session_name }) => session_name), ...shown] : shown;
  }, [chosen, is_admin, mayRemove]);
  const filters: readonly Filter<keyof Values>[] = [
    { name: "name", label: "Name", placeholder: "Part of the name" },
    { name: "component", label: "Component", choices: useComponentChoices(component) },
    { name: "user", label: "User", placeholder: "User id", isHidden: !is_admin },
    { name: "sort", label: "Order", choices: sortChoices, isOrder: true },
  ];
  return (
    <Page
      title="Sessions"
      about={
        is_admin
          ? "All users’ conversations with agents, teams and workflows."
          : "Your conversations with agents, teams and workflows."
      }
    >
      <Filters filters={filters} values={values} onChange={change} />
      {chosen.rows.length > 0 && (
        <div className="row bulk-bar">
          <RemovalBar count={chosen.rows.length} onRemove={() => setRemoving(true)} onClear={chosen.clear} />
        </div>
      )}
      {is_admin && user !== "" && chosen.rows.length === 0 && <RemoveUserData key={user} user={user} />}
      <ListView
        label="Sessions"
        list={list}
        keyOf={idOf}
        columns={columns}
        to={({ session_id }) => sessionPath(session_id)}
        rowHeight={60}
        foot={list.total === undefined ? undefined : countOf(list.total, "session")}
        empty={
          isFiltered(filters, values) ? noMatch("session", name === "" ? undefined : namesHint) : noSessions
        }
      />
      <RemoveSessions
        sessions={chosen.rows}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onDone={chosen.clear}
      />
    </Page>
  );
}

function queryOf({ name, component, user, sort }: Values) {
  const chosen = componentOf(component);
  return {
    ...(name && { session_name: name }),
    ...(chosen && { type: chosen.kind, component_id: chosen.id }),
    ...(user && { user_id: user }),
    sort_by: sort === "used" ? "updated_at" : "created_at",
    sort_order: "desc" as const,
  };
}

const namesHint =
  "Only names given by users are searched. A session without one is listed by its first message.";

const noSessions: Emptiness = {
  title: "No conversation yet",
  icon: MessagesSquare,
  text: "Talk with an agent, and the conversation appears here.",
  action: (
    <ButtonLink to="/playground" kind="main">
      Open the playground
    </ButtonLink>
  ),
};

const dataColumns: readonly Column<SessionItem>[] = [
  {
    id: "name",
    title: "Session",
    width: "minmax(120px, 2.4fr)",
    cell: ({ session_name, session_summary }) => (
      <div className="two-lines">
        <div className="cut" dir="auto">
          {session_name || <span className="faint">without a name</span>}
        </div>
        {session_summary && (
          <div className="cut small faint" dir="auto">
            {session_summary.summary}
          </div>
        )}
      </div>
    ),
  },
  {
    id: "component",
    title: "Component",
    width: "minmax(110px, 1fr)",
    from: 600,
    cell: (session) => {
      const component = componentOfSession(session);
      return (
        <div className="two-lines">
          <div className="cut">{component?.id ?? <span className="faint">none yet</span>}</div>
          <div className="cut small faint">{session.session_type}</div>
        </div>
      );
    },
  },
  {
    id: "user",
    title: "User",
    width: "minmax(72px, 0.7fr)",
    from: 960,
    cell: ({ user_id }) => <div className="cut">{user_id ?? <span className="faint">none</span>}</div>,
  },
  {
    id: "tokens",
    title: "Tokens",
    width: "72px",
    from: 1040,
    end: true,
    cell: ({ total_tokens }) => shortCount(total_tokens),
  },
  {
    id: "cost",
    title: "Cost",
    width: "76px",
    from: 1120,
    end: true,
    cell: ({ total_tokens, total_cost: cost }) => (
      <span className={cost === undefined ? "faint" : ""}>{costText({ total_tokens, cost }) ?? "–"}</span>
    ),
  },
  {
    id: "created",
    title: "Began",
    width: "80px",
    from: 720,
    end: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  {
    id: "updated",
    title: "Last used",
    width: "80px",
    end: true,
    cell: ({ updated_at }) => <Time at={updated_at} />,
  },
];
