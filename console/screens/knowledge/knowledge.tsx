import { BookOpen } from "lucide-react";
import { useLocation, useParams } from "wouter";
import { useFilters } from "../../api/use-filters.ts";
import { Select } from "../../parts/form/select.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { type Base, useBases } from "./base.ts";
import { ContentDialog } from "./content-dialog.tsx";
import { Contents } from "./contents.tsx";
import { Search } from "./search.tsx";

/** Knowledge bases: what they hold, and what a search finds in them. */
export default function Knowledge() {
  const { base: named } = useParams<{ base?: string }>();
  const { data: bases, error, refetch } = useBases();
  if (!bases) {
    return (
      <Page title="Knowledge">
        {error ? <Failed error={error} retry={() => refetch()} /> : <Skeleton lines={6} />}
      </Page>
    );
  }
  const wanted = named === undefined ? undefined : decodeURIComponent(named);
  const base =
    wanted === undefined ? bases[0] : bases.find(({ id, name }) => id === wanted || name === wanted);
  if (!base) {
    return (
      <Page title="Knowledge">
        <Empty
          title={wanted === undefined ? "There is no knowledge base" : "There is no such knowledge base"}
          icon={<BookOpen size={28} aria-hidden />}
        >
          <p>The setting KNOWLEDGE_BASES names the bases of a deployment.</p>
        </Empty>
      </Page>
    );
  }
  return <Shown key={base.id} base={base} bases={bases} />;
}

const names = ["view", "content"] as const;

function Shown({ base, bases }: { readonly base: Base; readonly bases: readonly Base[] }) {
  const [, navigate] = useLocation();
  const [{ view, content }, change] = useFilters(names);
  const here = base.id === undefined ? "/knowledge" : `/knowledge/${encodeURIComponent(base.name)}`;
  const pathOf = (id: string) => `${here}?content=${encodeURIComponent(id)}`;
  return (
    <Page
      title="Knowledge"
      about={base.description ?? "What agents can look up."}
      actions={
        bases.length > 1 && (
          <Select
            label="Base"
            hideLabel
            choices={bases.map(({ name, description = "" }) => ({
              id: name,
              text: name,
              about: description,
            }))}
            value={base.name}
            onChange={(name) => navigate(`/knowledge/${encodeURIComponent(name)}`)}
          />
        )
      }
    >
      <Tabs
        label="Views of the base"
        value={view}
        onChange={(id) => change({ view: id })}
        tabs={[
          {
            id: "contents",
            title: "Contents",
            content: <Contents base={base} pathOf={({ id }) => pathOf(id)} />,
          },
          {
            id: "search",
            title: "Try a search",
            content: <Search base={base} pathOf={pathOf} />,
          },
        ]}
      />
      {content !== "" && <ContentDialog base={base} id={content} onClose={() => change({ content: "" })} />}
    </Page>
  );
}
