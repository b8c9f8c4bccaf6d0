import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { Link } from "wouter";
import { useMay } from "../../access/use-me.ts";
import { config, health as healthQuery, info as infoQuery } from "../../api/queries.ts";
import { countText } from "../../parts/amounts.ts";
import { Badge } from "../../parts/badge.tsx";
import { Id } from "../../parts/id.tsx";
import { Card, Facts, Page } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { DatabaseCard } from "./database.tsx";
import { RegistryCard } from "./registry.tsx";

const HEALTH_MS = 30_000;
const authTexts = {
  none: "nothing: every caller is an admin",
  security_key: "a key",
  jwt: "a token",
} as const;

/** What this deployment is: version, health, settings in force, databases. */
export default function System() {
  const may = useMay();
  return (
    <Page title="System" about="What this deployment is, and how it is set.">
      <div className="cards">
        <Service />
        {may("config:read") ? (
          <Settings />
        ) : (
          <Card title="Settings">
            <p className="soft">You need the scope “config:read” to see settings and databases.</p>
          </Card>
        )}
      </div>
      {may("registry:read") && <RegistryCard />}
    </Page>
  );
}

function Service() {
  const info = useQuery(infoQuery);
  const health = useQuery({ ...healthQuery, refetchInterval: HEALTH_MS });
  const { data } = info;
  return (
    <Card title="Service">
      {info.error && !data ? (
        <Failed error={info.error} retry={() => info.refetch()} />
      ) : !data ? (
        <Skeleton lines={6} />
      ) : (
        <div className="stack">
          <Facts
            of={[
              [
                "Health",
                health.isError ? (
                  <Badge key="bad" tone="bad">
                    Does not answer
                  </Badge>
                ) : health.data ? (
                  <Badge key="good" tone="good">
                    Answers
                  </Badge>
                ) : undefined,
              ],
              ["Instance started", health.data && <Time key="since" at={health.data.instantiated_at} />],
              ["Name", data.name],
              ["Id", <Id key="id" value={data.os_id} whole />],
              ["Version", data.os_version],
              ["Interface", `as AgentOS ${data.agno_version}`],
              ["Signing in takes", authTexts[data.auth_mode]],
              ["Components", componentsText(data)],
              ["MCP", data.mcp.enabled ? (data.mcp.path ?? "on") : "off"],
            ]}
          />
          <div className="row">
            <a className="button" href="/docs" target="_blank" rel="noopener">
              <ExternalLink size={14} aria-hidden />
              API reference
            </a>
            <a className="button" href="/openapi.json" target="_blank" rel="noopener">
              <ExternalLink size={14} aria-hidden />
              openapi.json
            </a>
          </div>
        </div>
      )}
    </Card>
  );
}

const componentsText = (info: {
  readonly agent_count: number;
  readonly team_count: number;
  readonly workflow_count: number;
}): string =>
  [
    counted(info.agent_count, "agent"),
    counted(info.team_count, "team"),
    counted(info.workflow_count, "workflow"),
  ].join(", ");

const counted = (count: number, what: string): string =>
  `${countText(count)} ${what}${count === 1 ? "" : "s"}`;

function Settings() {
  const { data, error, refetch } = useQuery(config);
  if (!data) {
    return (
      <Card title="Settings">
        {error ? <Failed error={error} retry={() => refetch()} /> : <Skeleton lines={6} />}
      </Card>
    );
  }
  const { queue, interfaces, available_models, knowledge } = data;
  return (
    <div className="stack">
      <Card title="Settings">
        <Facts
          of={[
            ["Models", listOf(available_models.map(({ id, provider }) => `${id} (${provider})`))],
            ["Background runs", queue.enabled ? (queue.durable ? "on, they survive a crash" : "on") : "off"],
            ["Runs of a session", queue.queue_per_session ? "one after the other" : "in parallel"],
            [
              "Interfaces",
              listOf(interfaces.map(({ type, version, route }) => `${type} ${version} at ${route}`)),
            ],
            [
              "Knowledge bases",
              knowledge.knowledge_instances.length === 0 ? (
                "none"
              ) : (
                <ul key="bases">
                  {knowledge.knowledge_instances.map(({ id, name }) => (
                    <li key={id}>
                      <Link href={`/knowledge/${encodeURIComponent(name)}`}>{name}</Link>
                    </li>
                  ))}
                </ul>
              ),
            ],
          ]}
        />
      </Card>
      {data.databases.map((db_id) => (
        <DatabaseCard key={db_id} db_id={db_id} />
      ))}
    </div>
  );
}

const listOf = (texts: readonly string[]) =>
  texts.length === 0 ? (
    "none"
  ) : (
    <ul>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
