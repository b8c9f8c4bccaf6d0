import { Bot, Columns2, KeyRound, ListTree, Users } from "lucide-react";
import { Fragment } from "react";
import { Link } from "wouter";
import { useMay } from "../../access/use-me.ts";
import { type Kind, kinds, pluralOf } from "../../api/kinds.ts";
import { useFilters } from "../../api/use-filters.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { SearchField } from "../../parts/list/search-field.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import { chatPath } from "./chat.ts";
import { type Talker, useComponents } from "./use-components.ts";

export const kindIcons = { agent: Bot, team: Users, workflow: ListTree };
const headings: Readonly<Record<Kind, string>> = { agent: "Agents", team: "Teams", workflow: "Workflows" };
const names = ["q"] as const;

/** What can be talked to, with prompts to begin with. */
export function ComponentList() {
  const { components, isPending, error, retry } = useComponents();
  const [{ q }, change] = useFilters(names);
  const wanted = q.toLowerCase();
  const found = components.filter(({ id, name, description = "" }) =>
    [id, name, description].some((text) => text.toLowerCase().includes(wanted)),
  );
  return (
    <Page
      title="Playground"
      about="Talk to any agent, team or workflow that you may run."
      actions={
        components.length > 0 && (
          <ButtonLink to="/playground/compare" icon={<Columns2 size={15} aria-hidden />}>
            Compare two
          </ButtonLink>
        )
      }
    >
      {error && components.length === 0 ? (
        <Failed error={error} retry={retry} />
      ) : isPending && components.length === 0 ? (
        <Skeleton lines={8} />
      ) : components.length === 0 ? (
        <NothingToTalkTo />
      ) : (
        <>
          <div className="filters">
            <SearchField
              label="Search"
              placeholder="Name or description"
              value={q}
              onChange={(text) => change({ q: text })}
            />
          </div>
          {found.length === 0 && <Empty title="No name or description matches this search" />}
          <div className="runnable-kinds">
            {(["agent", "team", "workflow"] as const).map((kind) => (
              <KindSection key={kind} kind={kind} components={found.filter((one) => one.kind === kind)} />
            ))}
          </div>
        </>
      )}
    </Page>
  );
}

/** Why there is nothing: no component, or a credential that may not see or run one. */
function NothingToTalkTo() {
  const may = useMay();
  const seen = kinds.filter((kind) => may(`${pluralOf[kind]}:read`));
  const run = kinds.filter((kind) => may(`${pluralOf[kind]}:run`));
  if (seen.some((kind) => run.includes(kind))) {
    return (
      <Empty title="Nothing to talk to yet">
        <p>
          {may("components:write")
            ? "Write an agent in registry/agents, or store one under Components."
            : "None of the agents, teams and workflows that exist may be run by you."}
        </p>
      </Empty>
    );
  }
  // Each kind takes two scopes: to see what there is, and to run it.
  const missing = (run.length > 0 ? run : seen.length > 0 ? seen : kinds).flatMap((kind) =>
    (["read", "run"] as const).map((act) => `${pluralOf[kind]}:${act}`).filter((scope) => !may(scope)),
  );
  return (
    <Empty title="Your credential lacks a scope" icon={<KeyRound size={28} aria-hidden />}>
      <p>
        The playground lists what you may both see and run. You also need{" "}
        {missing.map((scope, at) => (
          <Fragment key={scope}>
            {at > 0 && (at === missing.length - 1 ? " or " : ", ")}
            <code>{scope}</code>
          </Fragment>
        ))}
        .
      </p>
    </Empty>
  );
}

function KindSection({ kind, components }: { readonly kind: Kind; readonly components: readonly Talker[] }) {
  if (components.length === 0) return null;
  return (
    <section className="stack-tight" aria-labelledby={`kind-${kind}`}>
      <h2 id={`kind-${kind}`}>{headings[kind]}</h2>
      <ul className="runnables">
        {components.map((one) => (
          <RunnableCard key={one.id} of={one} />
        ))}
      </ul>
    </section>
  );
}

function RunnableCard({
  of: { kind, id, name, description, model, members, prompts },
}: {
  readonly of: Talker;
}) {
  const Icon = kindIcons[kind];
  const [prompt] = prompts;
  const facts = [model, members.length > 0 && members.join(", ")].filter(Boolean).join(" · ");
  return (
    <li className="card runnable">
      <span className="bubble-icon runnable-icon">
        <Icon size={16} aria-hidden />
      </span>
      <div className="runnable-text">
        <h3>
          <Link href={chatPath(kind, id)} className="runnable-link">
            {name}
          </Link>
        </h3>
        {description !== undefined && <p className="soft">{description}</p>}
        {facts !== "" && <p className="small faint cut">{facts}</p>}
        {prompt !== undefined && (
          <Link className="prompt-link" href={`${chatPath(kind, id)}?say=${encodeURIComponent(prompt)}`}>
            <span className="cut" dir="auto">
              {prompt}
            </span>
          </Link>
        )}
      </div>
    </li>
  );
}
