import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Component } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { useFilters } from "../../api/use-filters.ts";
import { type Runnable, useRunnables } from "../../api/use-runnables.ts";
import { Badge } from "../../parts/badge.tsx";
import { Id } from "../../parts/id.tsx";
import { Json } from "../../parts/json.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Meta, Page } from "../../parts/page.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { ComponentActions } from "./component-actions.tsx";
import { DeclaredGraph } from "./declared-graph.tsx";
import { describedOf } from "./described.ts";
import { Description } from "./description.tsx";
import { back, StoredPage } from "./stored-page.tsx";
import { useStored } from "./use-components.ts";

/** One component: what it is, and its versions where it is stored. */
export function ComponentPage({ id }: { readonly id: string }) {
  const { runnables, isPending, error, refetch } = useRunnables();
  const own = runnables.filter((one) => one.id === id);
  const declared = own.find(({ shown }) => !shown.is_component);
  // Nothing can be stored under an id that code declares, so only the others are asked for.
  const stored = useStored(id, !isPending && !declared);
  if (declared) return <DeclaredPage runnable={declared} />;
  if (stored.data) {
    const component = stored.data;
    return <StoredPage component={component} runnable={own.find(({ shown }) => isOf(component, shown))} />;
  }
  const problem = stored.error ?? error;
  return (
    <Page title={id} back={back}>
      {problem ? (
        <Failed
          error={problem}
          retry={() => {
            void stored.refetch();
            refetch();
          }}
        />
      ) : isPending || stored.isPending ? (
        <Skeleton lines={8} />
      ) : (
        <Empty title="There is no such component">
          <p>It may be another user’s draft, or its id may be wrong.</p>
        </Empty>
      )}
    </Page>
  );
}

const isOf = (component: Component, shown: Runnable["shown"]): boolean =>
  shown.is_component && shown.id === component.component_id;

const names = ["tab"] as const;

/** What code declares: it is shown, and changed where it is declared. */
function DeclaredPage({ runnable: { kind, id, name, shown } }: { readonly runnable: Runnable }) {
  const [{ tab }, change] = useFilters(names);
  // The list of workflows leaves their steps out.
  const workflow = useQuery({
    queryKey: ["runnables", "workflow", id],
    enabled: kind === "workflow",
    queryFn: () => platform.getWorkflow({ path: { workflow_id: id } }),
  });
  const whole = kind === "workflow" ? workflow.data : shown;
  const described = useMemo(() => whole && describedOf(whole), [whole]);
  const graph =
    "members" in shown ? (
      <DeclaredGraph name={name} team={shown} />
    ) : (
      kind === "workflow" && described && <DeclaredGraph name={name} steps={described.steps} />
    );
  return (
    <Page
      title={name}
      back={back}
      about={
        <Meta>
          <Badge tone="plain">Declared in code</Badge>
          <span className="faint">{kind}</span>
          <Id value={id} whole />
        </Meta>
      }
      actions={
        <ComponentActions kind={kind} id={id} onNewVersion={() => undefined} onRename={() => undefined} />
      }
    >
      {shown.description !== undefined && (
        <p className="component-about" dir="auto">
          {shown.description}
        </p>
      )}
      <Notice>
        It is declared in the code of this deployment, so it cannot be changed here: change it in the
        registry, and deploy.
      </Notice>
      {workflow.error ? (
        <Failed error={workflow.error} retry={() => workflow.refetch()} />
      ) : !described ? (
        <Skeleton lines={6} />
      ) : (
        <Tabs
          label="Views"
          value={tab}
          onChange={(next) => change({ tab: next })}
          tabs={[
            {
              id: "config",
              title: "Configuration",
              content: <Description of={described} isWorkflow={kind === "workflow"} />,
            },
            ...(graph ? [{ id: "graph", title: "Graph", content: graph }] : []),
            { id: "json", title: "JSON", content: <Json value={whole} /> },
          ]}
        />
      )}
    </Page>
  );
}
