import { Boxes, Plus } from "lucide-react";
import { useMemo } from "react";
import type { Component } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { kindChoices, type StoredKind } from "../../api/kinds.ts";
import { readingOf, useRows } from "../../api/reading-of.ts";
import { useFilters } from "../../api/use-filters.ts";
import { type Runnable, useRunnables } from "../../api/use-runnables.ts";
import { Badge, Status } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { type Filter, Filters, isFiltered } from "../../parts/list/filters.tsx";
import type { Column } from "../../parts/list/list.tsx";
import { type Emptiness, ListView, noMatch, type Reading } from "../../parts/list/list-view.tsx";
import { Page } from "../../parts/page.tsx";
import { ComponentForm } from "./component-form.tsx";
import { useStoredComponents } from "./use-components.ts";

const names = ["name", "kind", "origin", "form"] as const;
const originChoices = [
  { id: "", text: "Anywhere" },
  { id: "code", text: "Declared in code" },
  { id: "stored", text: "Stored" },
  { id: "archived", text: "Archived" },
];

const filters: readonly Filter<(typeof names)[number]>[] = [
  { name: "name", label: "Name or id" },
  { name: "kind", label: "Kind", choices: [...kindChoices, { id: "skill", text: "Skills" }] },
  { name: "origin", label: "From", choices: originChoices },
];

type Row = {
  readonly kind: StoredKind;
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  /** Of a stored one. */
  readonly stored: Component | undefined;
  readonly shown: Runnable["shown"] | undefined;
};

/** Every agent, team and workflow, and every stored skill, that the reader may see, declared in code or stored. */
export function ComponentList() {
  const may = useMay();
  const [values, change] = useFilters(names);
  const { name, kind, origin, form } = values;
  const isArchive = origin === "archived";
  const stored = useStoredComponents(isArchive);
  const { runnables, isPending, error, refetch } = useRunnables();
  const components = useRows(stored);
  const rows = useMemo(
    () => rowsOf(components, runnables).filter((row) => isWanted(row, name, kind, origin)),
    [components, runnables, name, kind, origin],
  );
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
      about="Agents, teams, workflows and skills: declared in code, or stored here in versions."
      actions={
        mayWrite && (
          <Button kind="main" icon={<Plus size={15} aria-hidden />} onPress={() => change({ form: "new" })}>
            New component
          </Button>
        )
      }
    >
      <Filters filters={filters} values={values} onChange={change} />
      <ListView
        label="Components"
        list={{ rows, reading }}
        keyOf={({ kind, id, stored }) => `${kind} ${id} ${stored ? "stored" : ""}`}
        columns={columns}
        to={({ id }) => `/components/${encodeURIComponent(id)}`}
        rowHeight={60}
        empty={
          isArchive
            ? { title: "Nothing is archived" }
            : isFiltered(filters, values)
              ? noMatch("component")
              : noComponents
        }
      />
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

const noComponents: Emptiness = {
  title: "There are no components",
  icon: Boxes,
  text: "Declare an agent in the registry, or store one here.",
};

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
          <span className="cut" dir="auto">
            {name}
          </span>
          {id !== name && <code className="small faint cut">{id}</code>}
        </div>
        <div className="cut small faint" dir="auto">
          {description ?? ""}
        </div>
      </div>
    ),
  },
  {
    id: "kind",
    title: "Kind",
    width: "76px",
    from: 480,
    cell: ({ kind }) => <span className="soft">{kind}</span>,
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
