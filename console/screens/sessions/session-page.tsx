import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { SessionDetail } from "../../../client/index.ts";
import { addressOf } from "../../api/address.ts";
import { platform } from "../../api/platform.ts";
import { Written } from "../../conversation/message.tsx";
import { costText, countText } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Id } from "../../parts/id.tsx";
import { Json } from "../../parts/json.tsx";
import { Card, Facts, Meta, Page } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { SessionConversation } from "./conversation.tsx";
import { SessionActions } from "./session-actions.tsx";
import { componentOfSession, kindOfSession } from "./session-query.ts";

const back = { to: "/sessions", text: "Sessions" };

/** One session: what was said in it, and what is kept with it. */
export function SessionPage({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["sessions", "one", id],
    queryFn: () => platform.getSession({ path: { session_id: id }, query: { history_runs: 0 } }),
  });
  if (!data) {
    return (
      <Page title="Session" back={back}>
        {error ? <Failed error={error} retry={() => refetch()} /> : <Skeleton lines={8} />}
      </Page>
    );
  }
  const name = data.session_name || "Session without a name";
  const component = componentOfSession(data);
  return (
    <Page
      title={name}
      back={back}
      heading={
        <span className="run-title">
          <span className="cut">{name}</span>
        </span>
      }
      about={
        <Meta>
          {component && <Link href={addressOf("/runs", { component: component.id })}>{component.id}</Link>}
          <span className="faint">{kindOfSession(data)}</span>
          {data.user_id && <span className="faint">of {data.user_id}</span>}
          <Time at={data.updated_at} />
          <Id value={data.session_id} />
        </Meta>
      }
      actions={<SessionActions session={data} />}
    >
      <div className="session-panes">
        <Card title="Conversation">
          <SessionConversation session={id} name={nameOf(data)} />
        </Card>
        <div className="stack session-side">
          <Kept session={data} />
        </div>
      </div>
    </Page>
  );
}

/** Of the component, as its answers are signed. */
function nameOf(session: SessionDetail): string {
  if ("agent_data" in session && session.agent_data) return session.agent_data.name;
  if ("team_data" in session && session.team_data) return session.team_data.name;
  if ("workflow_name" in session && session.workflow_name) return session.workflow_name;
  return componentOfSession(session)?.id ?? "Answer";
}

/** What is kept with the conversation: summary, state, metadata, amounts. */
function Kept({ session }: { readonly session: SessionDetail }) {
  const summary = "session_summary" in session ? session.session_summary : undefined;
  const metrics = "metrics" in session ? session.metrics : session.session_data.session_metrics;
  const { session_state, metadata } = session;
  return (
    <>
      {summary && (
        <Card title="Summary">
          <div className="stack-tight">
            <Written text={summary.summary} />
            {(summary.topics ?? []).length > 0 && (
              <div className="row">
                {summary.topics?.map((topic) => (
                  <Badge key={topic} tone="plain">
                    {topic}
                  </Badge>
                ))}
              </div>
            )}
            {summary.updated_at !== undefined && (
              <p className="small faint">
                Written <Time at={summary.updated_at} />
              </p>
            )}
          </div>
        </Card>
      )}
      <Card title="Details">
        <Facts
          of={[
            ["Began", <Time key="began" at={session.created_at} />],
            ["Tokens in", count(metrics.input_tokens)],
            ["Tokens out", count(metrics.output_tokens)],
            ["Cost", costText(metrics)],
            ["Session", <Id key="id" value={session.session_id} />],
          ]}
        />
      </Card>
      <Card title="State">
        {Object.keys(session_state).length === 0 ? (
          <p className="soft">Its runs have stored no state.</p>
        ) : (
          <Json value={session_state} label="Copy the state" />
        )}
      </Card>
      {metadata && Object.keys(metadata).length > 0 && (
        <Card title="Metadata">
          <Json value={metadata} label="Copy the metadata" />
        </Card>
      )}
    </>
  );
}

const count = (tokens: number | undefined): string | undefined =>
  tokens === undefined ? undefined : countText(tokens);
