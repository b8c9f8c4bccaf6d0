import { type ComponentProps, lazy, Suspense, useMemo } from "react";
import type { Component, ConfigVersion } from "../../../client/index.ts";
import { useMay } from "../../access/use-me.ts";
import { loadPart } from "../../api/load-part.ts";
import { useFilters } from "../../api/use-filters.ts";
import type { Runnable } from "../../api/use-runnables.ts";
import { countText } from "../../parts/amounts.ts";
import { Badge, Status } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/form/select.tsx";
import { Id } from "../../parts/id.tsx";
import { Json } from "../../parts/json.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card, Meta, Page } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { Time } from "../../parts/time.tsx";
import { Changes } from "./changes.tsx";
import { ComponentActions } from "./component-actions.tsx";
import { DeclaredGraph } from "./declared-graph.tsx";
import { type DescribedTool, describedConfig, graphedTeam, toolOf } from "./described.ts";
import { Description } from "./description.tsx";
import { DetailsForm } from "./details-form.tsx";
import { Findings } from "./findings.tsx";
import { SkillFiles } from "./skill-files.tsx";
import { useRegistry, useVersion, useVersions } from "./use-components.ts";
import { Versions } from "./versions.tsx";

/** With the conversations that it tries drafts in, it is larger than the page that leads to it. */
const Editor = lazy(() => loadPart(() => import("./editor/editor.tsx")));

/** The list that a component is one of. */
export const back = { to: "/components", text: "Components" };

const names = ["tab", "version", "from", "to", "form", "base"] as const;

type StoredPageProps = {
  readonly component: Component;
  /** How the platform describes its live version. */
  readonly runnable: Runnable | undefined;
};

/** A stored component: its configuration, its versions, and what differs between them. */
export function StoredPage({ component, runnable }: StoredPageProps) {
  const { component_id: id, component_type: kind, current_version: live, deleted_at } = component;
  const may = useMay();
  const [{ tab, version, from, to, form, base }, change] = useFilters(names);
  const isArchived = deleted_at !== undefined;
  const { data: versions = [], error, isPending, refetch } = useVersions(id, !isArchived);
  const latest = versions[0]?.version;
  const shown = numberIn(version, versions) ?? live ?? latest;
  const other = versions.find((one) => one.version !== shown)?.version;
  const compared = {
    from: numberIn(from, versions) ?? Math.min(shown ?? 0, other ?? 0),
    to: numberIn(to, versions) ?? Math.max(shown ?? 0, other ?? 0),
  };
  const closeForm = () => change({ form: "", base: "" });
  const draft = versions.find(({ stage }) => stage === "draft");
  const mayWrite = may("components:write");
  if ((form === "new" || form === "edit") && mayWrite && !isArchived && shown !== undefined) {
    const edited = { base: numberIn(base, versions) ?? shown, isNew: form === "new", latest: latest ?? 0 };
    const onStored = (stored: number) => change({ form: "edit", base: String(stored) });
    return <Editing component={component} {...edited} onStored={onStored} onClose={closeForm} />;
  }
  return (
    <Page
      title={component.name}
      back={back}
      about={<About component={component} />}
      actions={
        <ComponentActions
          kind={kind}
          id={id}
          component={component}
          onNewVersion={() => change({ form: "new", base: String(shown ?? "") })}
          onRename={() => change({ form: "rename" })}
        />
      }
    >
      {component.description !== undefined && (
        <p className="component-about" dir="auto">
          {component.description}
        </p>
      )}
      {isArchived && (
        <Notice tone="warn">
          It was archived <Time at={deleted_at} />. It cannot be run; its versions are kept.
        </Notice>
      )}
      {!isArchived && tab !== "changes" && draft && draft.version > (live ?? 0) && (
        <Notice>
          <span className="row">
            {live === undefined
              ? "Nothing is published yet, so other users cannot run it."
              : `Draft ${draft.version} is newer than the live version ${live}.`}
            {live !== undefined && (
              <Button
                size="small"
                onPress={() => change({ tab: "changes", from: String(live), to: String(draft.version) })}
              >
                See what differs
              </Button>
            )}
          </span>
        </Notice>
      )}
      {isArchived ? null : error ? (
        <Failed error={error} retry={() => refetch()} />
      ) : isPending || shown === undefined ? (
        <Skeleton lines={8} />
      ) : (
        <Tabs
          label="Views"
          value={tab}
          onChange={(next) => change({ tab: next })}
          tabs={[
            {
              id: "config",
              title: "Configuration",
              content: (
                <Configuration
                  component={component}
                  runnable={runnable}
                  versions={versions}
                  shown={shown}
                  onShow={(one) => change({ version: one })}
                />
              ),
            },
            {
              id: "versions",
              title: `Versions (${countText(versions.length)})`,
              content: (
                <Versions
                  component={component}
                  versions={versions}
                  onShow={(one) => change({ tab: "", version: String(one) })}
                  onCompare={(one, two) => change({ tab: "changes", from: String(one), to: String(two) })}
                  onEdit={(one) => change({ form: "edit", base: String(one) })}
                />
              ),
            },
            {
              id: "changes",
              title: "Changes",
              content:
                versions.length < 2 ? (
                  <p className="soft">
                    There is one version only. With a second one, what differs is shown here.
                  </p>
                ) : (
                  <Changes id={id} versions={versions} {...compared} onChange={change} />
                ),
            },
          ]}
        />
      )}
      {form === "rename" && mayWrite && <DetailsForm component={component} onClose={closeForm} />}
    </Page>
  );
}

const Editing = (props: ComponentProps<typeof Editor>) => (
  <Suspense fallback={<Skeleton lines={8} />}>
    <Editor {...props} />
  </Suspense>
);

/** A version that the address names, if there is one. */
const numberIn = (text: string, versions: readonly ConfigVersion[]): number | undefined =>
  versions.find(({ version }) => String(version) === text)?.version;

function About({ component }: { readonly component: Component }) {
  const { component_id, component_type, current_version, user_id, updated_at, created_at, deleted_at } =
    component;
  return (
    <Meta>
      {deleted_at !== undefined ? (
        <Badge>Archived</Badge>
      ) : current_version === undefined ? (
        <Status of="draft" />
      ) : (
        <Badge tone="good">Live: version {current_version}</Badge>
      )}
      <span className="faint">{component_type}</span>
      {user_id !== undefined && <span className="faint">by {user_id}</span>}
      <span className="faint">
        changed <Time at={updated_at ?? created_at} />
      </span>
      <Id value={component_id} whole />
    </Meta>
  );
}

type ConfigurationProps = StoredPageProps & {
  readonly versions: readonly ConfigVersion[];
  readonly shown: number;
  readonly onShow: (version: string) => void;
};

function Configuration({ component, runnable, versions, shown, onShow }: ConfigurationProps) {
  const { data, error, refetch } = useVersion(component.component_id, shown);
  const { data: registered } = useRegistry();
  const tools = useMemo(() => toolsOf(registered, runnable), [registered, runnable]);
  const config = data?.config;
  const described = useMemo(() => config && describedConfig(config, tools), [config, tools]);
  return (
    <div className="stack">
      {versions.length > 1 && (
        <div className="filters">
          <Select
            label="Version"
            choices={versions.map(({ version, stage, label }) => ({
              id: String(version),
              text: `Version ${version}${label === undefined ? "" : ` “${label}”`}${
                version === component.current_version ? ", live" : stage === "draft" ? ", a draft" : ""
              }`,
            }))}
            value={String(shown)}
            onChange={onShow}
          />
        </div>
      )}
      <Findings id={component.component_id} version={shown} />
      {error ? (
        <Failed error={error} retry={() => refetch()} />
      ) : !described ? (
        <Skeleton lines={6} />
      ) : (
        <>
          {component.component_type === "skill" ? (
            <SkillFiles config={config ?? {}} />
          ) : (
            <Description of={described} isWorkflow={component.component_type === "workflow"} />
          )}
          {(component.component_type === "team" || component.component_type === "workflow") && (
            <Card title="Graph" flush>
              <DeclaredGraph
                name={component.name}
                steps={described.steps}
                {...(component.component_type === "team" && {
                  team: graphedTeam({ id: component.component_id, name: component.name }, described),
                })}
              />
            </Card>
          )}
          <details className="card config-json">
            <summary>The config as JSON</summary>
            <Json value={config} />
          </details>
        </>
      )}
    </div>
  );
}

/** What the platform knows of tools, by name: what is registered, and what the live version shows. */
function toolsOf(
  registered: ReturnType<typeof useRegistry>["data"],
  runnable: Runnable | undefined,
): ReadonlyMap<string, DescribedTool> {
  const shown = runnable && "tools" in runnable.shown ? (runnable.shown.tools?.tools ?? []) : [];
  return new Map(
    [
      ...(registered ?? [])
        .filter(({ type }) => type === "tool")
        .map(({ name, description, metadata }) => toolOf({ ...metadata, name, description })),
      ...shown.map(toolOf),
    ].map((tool) => [tool.name, tool]),
  );
}
