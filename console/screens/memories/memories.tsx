import { X } from "lucide-react";
import { Link } from "wouter";
import { useMay, useMe } from "../../access/use-me.ts";
import { addressOf } from "../../api/address.ts";
import { useFilters } from "../../api/use-filters.ts";
import { Button } from "../../parts/button.tsx";
import { SearchField } from "../../parts/list/search-field.tsx";
import { Page } from "../../parts/page.tsx";
import { LearningList } from "./learning-list.tsx";
import { MemoryList } from "./memory-list.tsx";
import { MemoryUsers } from "./memory-users.tsx";

const names = ["view", "user", "text", "topic", "type"] as const;

/** What agents remember of people, and what they learned. */
export default function Memories() {
  const { is_admin } = useMe();
  const may = useMay();
  const [filters, change] = useFilters(names);
  const { user, text, topic, type } = filters;
  const mayMemories = may("memories:read");
  const mayLearnings = may("learnings:read");
  const view = mayLearnings && (filters.view === "learnings" || !mayMemories) ? "learnings" : "memories";
  const asksWho = view === "memories" && is_admin && user === "" && text === "" && topic === "";
  return (
    <Page
      title="Memories"
      about={
        is_admin
          ? "What agents remember of people, and what they learned."
          : "What agents remember of you, and what they learned about you."
      }
    >
      {mayMemories && mayLearnings && (
        <nav className="counts" aria-label="Memories or learnings">
          <Tab to={addressOf("/memories", { user })} isHere={view === "memories"}>
            Memories
          </Tab>
          <Tab to={addressOf("/memories", { user, view: "learnings" })} isHere={view === "learnings"}>
            Learnings
          </Tab>
        </nav>
      )}
      {is_admin && user !== "" && (
        <div className="row">
          <h2>{user}</h2>
          <Button
            kind="plain"
            size="small"
            icon={<X size={13} aria-hidden />}
            onPress={() => change({ user: "", topic: "" })}
          >
            Show all users
          </Button>
        </div>
      )}
      {asksWho ? (
        <>
          <div className="filters">
            <SearchField
              label="Search all memories"
              placeholder="Words of a memory"
              value={text}
              onChange={(next) => change({ text: next })}
            />
          </div>
          <MemoryUsers />
        </>
      ) : view === "memories" ? (
        <MemoryList key={user} user={user} text={text} topic={topic} onChange={change} />
      ) : (
        <LearningList key={user} user={user} type={type} onChange={change} />
      )}
    </Page>
  );
}

function Tab({
  to,
  isHere,
  children,
}: {
  readonly to: string;
  readonly isHere: boolean;
  readonly children: string;
}) {
  return (
    <Link href={to} className="count" {...(isHere && { "aria-current": "page" as const })}>
      {children}
    </Link>
  );
}
