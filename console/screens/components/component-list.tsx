import { Boxes, Plus, X } from "lucide-react";
import { useMemo } from "react";
import type { Component } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { type Kind, pluralOf } from "../../api/kinds.ts";
import { readingOf } from "../../api/reading-of.ts";
import { useFilters } from "../../api/use-filters.ts";
import { type Runnable, useRunnables } from "../../api/use-runnables.ts";
import { Badge, Status } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/form/fields.tsx";
import { type Column, List } from "../../parts/list/list.tsx";
import { ListFrame, type Reading } from "../../parts/list/list-frame.tsx";
import { SearchField } from "../../parts/list/search-field.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty } from "../../parts/state.tsx";
import { ComponentForm } from "./component-form.tsx";
import { useStoredComponents } from "./use-components.ts";

const names = ["name", "kind", "origin", "form"] as const;
const kindChoices = [
  { id: "", text: "All kinds" },
  { id: "agent", text: "Agents" },
  { id: "team", text: "Teams" },
  { id: "workflow", text: "Workflows" },
];
const originChoices = [
  { id: "", text: "Anywhere" },
  { id: "code", text: "Declared in code" },
  { id: "stored", text: "Stored" },
  { id: "archived", text: "Archived" },
];

type Row = {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** Of a stored one. */
  readonly stored: Component | undefined;
  readonly shown: Runnable["shown"] | undefined;
};

/** Every agent, team and workflow that the reader may see, declared in code or stored. */
export function ComponentList() {
  const may = useMay();
  const [{ name, kind, origin, form }, change] = useFilters(names);
  const isArchive = origin === "archived";
  const stored = useStoredComponents(isArchive);
  const { runnables, isPending, error, refetch } = useRunnables();
  const components = useMemo(() => stored.data?.pages.flatMap(({ data }) => data) ?? [], [stored.data]);
  const rows = useMemo(
    () => rowsOf(components, runnables).filter((row) => isWanted(row, name, kind, origin)),
    [components, runnables, name, kind, origin],
  );
  const isFiltered = [name, kind, origin].some((text) => text !== "");
  const pages = readingOf(stored);
  const reading: Reading = {
    ...pages,
    isPending: isPending || pages.isPending,
    error: error ?? pages.error,
    retry: () => {
      refetch();
      pages.retry();
    },
  };
  const mayWrite = may("components:write");
  return (
    <Page
      title="Components"
      about="Agents, teams and workflows: those that code declares, and those that are stored in versions."
      actions={
        mayWrite && (
          <Button kind="main" icon={<Plus size={15} aria-hidden />} onPress={() => change({ form: "new" })}>
            New component
          </Button>
        )
      }
    >
      <div className="filters">
        <SearchField label="Name or id" value={name} onChange={(text) => change({ name: text })} />
        <Select label="Kind" choices={kindChoices} value={kind} onChange={(id) => change({ kind: id })} />
        <Select
          label="From"
          choices={originChoices}
          value={origin}
          onChange={(id) => change({ origin: id })}
        />
        {isFiltered && (
          <Button
            kind="plain"
            icon={<X size={14} aria-hidden />}
            onPress={() => change({ name: "", kind: "", origin: "" })}
          >
            Clear
          </Button>
        )}
      </div>
      <ListFrame
        reading={reading}
        count={rows.length}
        empty={<None isArchive={isArchive} isFiltered={isFiltered} />}
      >
        <List
          label="Components"
          rows={rows}
          keyOf={({ kind, id, stored }) => `${kind} ${id} ${stored ? "stored" : ""}`}
          columns={columns}
          to={({ id }) => `/components/${encodeURIComponent(id)}`}
          rowHeight={60}
          onEnd={reading.onEnd}
          hasMore={reading.hasMore}
        />
      </ListFrame>
      {form === "new" && mayWrite && <ComponentForm onClose={() => change({ form: "" })} />}
    </Page>
  );
}

/** Stored ones first, the newest of them before the others, then what code declares. */
function rowsOf(components: readonly Component[], runnables: readonly Runnable[]): readonly Row[] {
  const known = new Map(runnables.map((one) => [`${one.kind} ${one.id}`, one]));
  const stored = components.map((component): Row => {
    const runnable = known.get(`${component.component_type} ${component.component_id}`);
    return {
      kind: component.component_type,
      id: component.component_id,
      name: component.name,
      description: component.description ?? runnable?.shown.description,
      stored: component,
      shown: runnable?.shown.is_component ? runnable.shown : undefined,
    };
  });
  const declared = runnables
    .filter(({ shown }) => !shown.is_component)
    .map(
      ({ kind, id, name, shown }): Row => ({
        kind,
        id,
        name,
        description: shown.description,
        stored: undefined,
        shown,
      }),
    );
  return [...stored, ...declared];
}

function isWanted(
  { name, id, kind, stored }: Row,
  text: string,
  wantedKind: string,
  origin: string,
): boolean {
  if (wantedKind !== "" && kind !== wantedKind) return false;
  if (origin === "code" && stored) return false;
  if (origin === "stored" && !stored) return false;
  if (origin === "archived" && stored?.deleted_at === undefined) return false;
  const wanted = text.toLowerCase();
  return name.toLowerCase().includes(wanted) || id.toLowerCase().includes(wanted);
}

function None({ isArchive, isFiltered }: { readonly isArchive: boolean; readonly isFiltered: boolean }) {
  if (isArchive) return <Empty title="Nothing is archived" />;
  if (isFiltered) {
    return (
      <Empty title="No component matches these filters">
        <p>Remove a filter.</p>
      </Empty>
    );
  }
  return (
    <Empty title="There are no components" icon={<Boxes size={28} aria-hidden />}>
      <p>Declare an agent in the registry, or store one here.</p>
    </Empty>
  );
}

const modelIn = ({ shown }: Row): string | undefined =>
  shown && "model" in shown && shown.model ? shown.model.model : undefined;
const toolsIn = ({ shown }: Row): readonly string[] =>
  shown && "tools" in shown ? (shown.tools?.tools.map(({ name }) => name) ?? []) : [];

const columns: readonly Column<Row>[] = [
  {
    id: "name",
    title: "Component",
    width: "minmax(160px, 2fr)",
    cell: ({ name, id, description }) => (
      <div>
        <div className="row component-name">
          <span className="cut">{name}</span>
          {id !== name && <code className="small faint cut">{id}</code>}
        </div>
        <div className="cut small faint">{description ?? ""}</div>
      </div>
    ),
  },
  {
    id: "kind",
    title: "Kind",
    width: "76px",
    from: 480,
    cell: ({ kind }) => <span className="soft">{pluralOf[kind].replace(/s$/, "")}</span>,
  },
  {
    id: "origin",
    title: "From",
    width: "132px",
    cell: (row) => <Origin row={row} />,
  },
  {
    id: "model",
    title: "Model",
    width: "minmax(90px, 0.7fr)",
    from: 720,
    cell: (row) => <div className="cut">{modelIn(row) ?? <span className="faint">–</span>}</div>,
  },
  {
    id: "tools",
    title: "Tools",
    width: "minmax(120px, 1.2fr)",
    from: 960,
    cell: (row) => (
      <div className="cut" title={toolsIn(row).join(", ")}>
        {toolsIn(row).join(", ") || <span className="faint">–</span>}
      </div>
    ),
  },
];

function Origin({ row: { stored } }: { readonly row: Row }) {
  if (!stored) return <Badge tone="plain">Code</Badge>;
  if (stored.deleted_at !== undefined) return <Badge>Archived</Badge>;
  if (stored.current_version === undefined) return <Status of="draft" />;
  return <Badge tone="good">Live: version {stored.current_version}</Badge>;
}
