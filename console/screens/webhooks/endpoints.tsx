import { Plus, Webhook } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { useMay } from "../../access/use-me.ts";
import { addressOf } from "../../api/address.ts";
import { platform } from "../../api/platform.ts";
import { usePagedList } from "../../api/use-paged-list.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import type { Column } from "../../parts/list/list.tsx";
import { type Emptiness, ListView } from "../../parts/list/list-view.tsx";
import { ShownOnce } from "../../parts/shown-once.tsx";
import { exactText, Time } from "../../parts/time.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import { type Endpoint, endpointsKey } from "./webhook-records.ts";

/** The receivers of events, with what can be done with them. */
export function Endpoints() {
  const may = useMay();
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const list = usePagedList<Endpoint>({
    key: [...endpointsKey, "list"],
    read: (query, signal) => platform.listWebhookEndpoints({ query }, { signal }),
    idOf: ({ id }) => id,
  });
  const act: Column<Endpoint> = {
    id: "act",
    title: <span className="hidden-visually">Actions</span>,
    width: "48px",
    end: true,
    cell: (endpoint) => <EndpointActions endpoint={endpoint} onSecret={setSecret} />,
  };
  return (
    <div className="stack">
      {may("webhooks:write") && (
        <div className="row">
          <Button kind="main" icon={<Plus size={14} aria-hidden />} onPress={() => setAdding(true)}>
            Add an endpoint
          </Button>
        </div>
      )}
      <ListView
        label="Endpoints"
        list={list}
        keyOf={({ id }) => id}
        columns={may("webhooks:write") ? [...columns, act] : columns}
        rowHeight={56}
        empty={none}
      />
      {isAdding && <EndpointForm onClose={() => setAdding(false)} onAdded={setSecret} />}
      {secret !== undefined && (
        <ShownOnce
          title="The secret of the endpoint"
          name="secret"
          text={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </div>
  );
}

const none: Emptiness = {
  title: "No endpoints",
  icon: Webhook,
  text: "An endpoint is an address of yours that receives a signed message when a run ends, fails or waits.",
};

const columns: readonly Column<Endpoint>[] = [
  {
    id: "url",
    title: "Endpoint",
    width: "minmax(140px, 2fr)",
    cell: ({ id, url, description, audience }) => (
      <div className="two-lines">
        <Link className="cut" href={addressOf("/webhooks", { view: "deliveries", endpoint: id })}>
          {url}
        </Link>
        <div className="cut small faint">
          {audience === "everybody" ? "runs of everybody" : "runs of its owner"}
          {description !== null && ` · ${description}`}
        </div>
      </div>
    ),
  },
  {
    id: "events",
    title: "Events",
    from: 720,
    width: "minmax(120px, 1fr)",
    cell: ({ events }) => (
      <span className="clamp-two small soft">{events.join(", ") || "all events of runs"}</span>
    ),
  },
  { id: "state", title: "State", width: "112px", cell: (endpoint) => <State {...endpoint} /> },
  {
    id: "secret",
    title: "Secret",
    from: 960,
    width: "minmax(120px, 1fr)",
    cell: ({ previous_secret_until: until }) =>
      until !== null && until * 1000 > Date.now() ? (
        <span className="small soft">the old one signs too until {exactText(until)}</span>
      ) : (
        <span className="faint">one</span>
      ),
  },
];

function State({ enabled, disabled_reason, failing_since }: Endpoint) {
  if (!enabled) return <Badge {...(disabled_reason !== null && { tone: "bad" as const })}>Disabled</Badge>;
  if (failing_since === null) return <Badge tone="good">Enabled</Badge>;
  return (
    <div>
      <Badge tone="bad">Failing</Badge>
      <div className="small faint">
        <Time at={failing_since} />
      </div>
    </div>
  );
}
