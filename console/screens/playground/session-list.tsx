import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { SquarePen } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import type { Kind } from "../../api/kinds.ts";
import { platform } from "../../api/platform.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { SearchField } from "../../parts/list/search-field.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { chatPath } from "./chat.ts";

const PAGE = 30;

type SessionListProps = {
  readonly kind: Kind;
  readonly component: string;
  readonly current: string | undefined;
};

/** The sessions of a component that the reader may see, the last used first. */
export function SessionList({ kind, component, current }: SessionListProps) {
  const [name, setName] = useState("");
  const [limit, setLimit] = useState(PAGE);
  const { data, error, refetch } = useQuery({
    queryKey: ["sessions", kind, component, name, limit],
    queryFn: () =>
      platform.listSessions({
        query: {
          type: kind,
          component_id: component,
          limit,
          sort_by: "updated_at",
          sort_order: "desc",
          ...(name !== "" && { session_name: name }),
        },
      }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="chat-sessions">
      <ButtonLink to={chatPath(kind, component)} icon={<SquarePen size={15} aria-hidden />}>
        New session
      </ButtonLink>
      <SearchField label="Sessions" placeholder="Search by name" value={name} onChange={setName} />
      {error && !data ? (
        <Failed error={error} retry={() => refetch()} />
      ) : !data ? (
        <Skeleton lines={6} />
      ) : data.data.length === 0 ? (
        <p className="small faint">
          {name === "" ? "No session yet. The first message begins one." : "No session has this name."}
        </p>
      ) : (
        <nav aria-label="Sessions">
          <ul className="chat-session-links">
            {data.data.map(({ session_id, session_name, updated_at, user_id }) => (
              <li key={session_id}>
                <Link
                  className="chat-session"
                  href={chatPath(kind, component, session_id)}
                  {...(session_id === current && { "aria-current": "page" as const })}
                >
                  <span className="cut" dir="auto">
                    {session_name || session_id}
                  </span>
                  <span className="small faint cut">
                    <Time at={updated_at} />
                    {user_id ? `, ${user_id}` : ""}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {data && data.meta.total_count > data.data.length && (
        <Button kind="plain" size="small" onPress={() => setLimit(limit + PAGE)}>
          Show more
        </Button>
      )}
    </div>
  );
}
