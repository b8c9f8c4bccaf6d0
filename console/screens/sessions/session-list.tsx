import { MessagesSquare, Trash2, X } from "lucide-react";
import { useMemo, useState } from "react";
import type { SessionItem } from "../../../client/index.ts";
import { useMay, useMe } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { componentOf, useComponentChoices } from "../../api/use-component-choices.ts";
import { useFilters } from "../../api/use-filters.ts";
import { usePagedList } from "../../api/use-paged-list.ts";
import { countText, shortCount } from "../../parts/amounts.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Checkbox, Select } from "../../parts/form/fields.tsx";
import { type Column, List } from "../../parts/list/list.tsx";
import { ListFrame } from "../../parts/list/list-frame.tsx";
import { SearchField } from "../../parts/list/search-field.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { RemoveSessions } from "./remove-sessions.tsx";
import { componentOfSession, sessionPath } from "./session-query.ts";

const names = ["name", "component", "user", "sort"] as const;
type Filters = Readonly<Record<(typeof names)[number], string>>;

const sortChoices = [
  { id: "", text: "Newest first" },
  { id: "used", text: "Last used first" },
];
/** Searching by name and ordering by use read every session, so what changed is asked for seldom. */
const SELDOM_MS = 60_000;
const none: ReadonlySet<string> = new Set();

/** Every session that the reader may see. */
export function SessionList() {
  const { is_admin } = useMe();
  const may = useMay();
  const [filters, change, clear] = useFilters(names);
  const { name, component, user, sort } = filters;
  const query = useMemo(() => queryOf(filters), [filters]);
  const list = usePagedList<SessionItem>({
    key: ["sessions", "list", query],
    read: (page, signal) => platform.listSessions({ query: { ...query, ...page } }, { signal }),
    idOf: ({ session_id }) => session_id,
    ...((name !== "" || sort === "used") && { every: SELDOM_MS }),
  });
  const { rows } = list;
  const [chosen, setChosen] = useState(none);
  const [isRemoving, setRemoving] = useState(false);
  const chosenRows = useMemo(() => rows.filter(({ session_id }) => chosen.has(session_id)), [rows, chosen]);
  const mayRemove = may("sessions:delete");
  const columns = useMemo(() => {
    const choose: Column<SessionItem> = {
      id: "choose",
      width: "16px",
      isControl: true,
      title: (
        <Checkbox
          aria-label="Select all that are shown"
          isSelected={rows.length > 0 && chosenRows.length === rows.length}
          isIndeterminate={chosenRows.length > 0 && chosenRows.length < rows.length}
          onChange={(is) => setChosen(is ? new Set(rows.map(({ session_id }) => session_id)) : none)}
        />
      ),
      cell: ({ session_id, session_name }) => (
        <Checkbox
          aria-label={`Select ${session_name}`}
          isSelected={chosen.has(session_id)}
          onChange={(is) =>
            setChosen(
              (before) =>
                new Set(is ? [...before, session_id] : [...before].filter((one) => one !== session_id)),
            )
          }
        />
      ),
    };
    const shown = is_admin ? dataColumns : dataColumns.filter(({ id }) => id !== "user");
    return mayRemove ? [choose, ...shown] : shown;
  }, [chosen, chosenRows, rows, is_admin, mayRemove]);
  const components = useComponentChoices(component);
  const isFiltered = [name, component, user].some((value) => value !== "");
  return (
    <Page
      title="Sessions"
      about={
        is_admin
          ? "All users’ conversations with agents, teams and workflows."
          : "Your conversations with agents, teams and workflows."
      }
    >
      <div className="filters">
        <SearchField
          label="Name"
          placeholder="Part of the name"
          value={name}
          onChange={(text) => change({ name: text })}
        />
        <Select
          label="Component"
          choices={components}
          value={component}
          onChange={(next) => change({ component: next })}
        />
        {is_admin && (
          <SearchField
            label="User"
            placeholder="User id"
            value={user}
            onChange={(text) => change({ user: text })}
          />
        )}
        <Select
          label="Order"
          choices={sortChoices}
          value={sort}
          onChange={(next) => change({ sort: next })}
        />
        {isFiltered && (
          <Button kind="plain" icon={<X size={14} aria-hidden />} onPress={clear}>
            Clear
          </Button>
        )}
      </div>
      {chosenRows.length > 0 && (
        <div className="row bulk-bar">
          <span className="bulk-count">{countText(chosenRows.length)} selected</span>
          <Button
            kind="danger"
            size="small"
            icon={<Trash2 size={13} aria-hidden />}
            onPress={() => setRemoving(true)}
          >
            Delete {countText(chosenRows.length)}
          </Button>
          <Button kind="plain" size="small" onPress={() => setChosen(none)}>
            Select none
          </Button>
        </div>
      )}
      <ListFrame
        reading={list.reading}
        count={rows.length}
        empty={<NoSessions isFiltered={isFiltered} isNamed={name !== ""} />}
        changes={list.changes}
        onShowChanges={list.refresh}
      >
        <List
          label="Sessions"
          rows={rows}
          keyOf={({ session_id }) => session_id}
          columns={columns}
          to={({ session_id }) => sessionPath(session_id)}
          rowHeight={60}
          onEnd={list.reading.onEnd}
          hasMore={list.reading.hasMore}
          foot={
            list.total === undefined
              ? undefined
              : list.total === 1
                ? "1 session"
                : `${countText(list.total)} sessions`
          }
        />
      </ListFrame>
      <RemoveSessions
        sessions={chosenRows}
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        onDone={() => setChosen(none)}
      />
    </Page>
  );
}

function queryOf({ name, component, user, sort }: Filters) {
  const chosen = componentOf(component);
  return {
    ...(name && { session_name: name }),
    ...(chosen && { type: chosen.kind, component_id: chosen.id }),
    ...(user && { user_id: user }),
    sort_by: sort === "used" ? "updated_at" : "created_at",
    sort_order: "desc" as const,
  };
}

function NoSessions({ isFiltered, isNamed }: { readonly isFiltered: boolean; readonly isNamed: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="No session matches these filters">
        <p>
          {isNamed
            ? "Only names given by users are searched. A session without one is listed by its first message."
            : "Remove a filter."}
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No conversation yet" icon={<MessagesSquare size={28} aria-hidden />}>
      <p>Talk with an agent, and the conversation appears here.</p>
      <ButtonLink to="/playground" kind="main">
        Open the playground
      </ButtonLink>
    </Empty>
  );
}

const dataColumns: readonly Column<SessionItem>[] = [
  {
    id: "name",
    title: "Session",
    width: "minmax(120px, 2.4fr)",
    cell: ({ session_name, session_summary }) => (
      <div className="two-lines">
        <div className="cut">{session_name || <span className="faint">without a name</span>}</div>
        {session_summary && <div className="cut small faint">{session_summary.summary}</div>}
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
