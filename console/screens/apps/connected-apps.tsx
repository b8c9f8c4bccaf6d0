import { useMutation, useQuery } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import { useState } from "react";
import type { Operations } from "../../../client/index.ts";
import { platform } from "../../api/platform.ts";
import { info } from "../../api/queries.ts";
import { queryClient } from "../../api/query-client.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { Card, Facts } from "../../parts/page.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";

type App = Operations["listConnectedApps"]["answer"]["data"][number];

/** Key of what was read of a user's apps. */
export const APPS = ["connected-apps"] as const;

/** The apps that the reader has let in, where this service signs them in. */
export function ConnectedApps() {
  const { data } = useQuery(info);
  return data?.mcp.oauth === true ? <Apps /> : null;
}

function Apps() {
  const apps = useQuery({ queryKey: APPS, queryFn: () => platform.listConnectedApps() });
  const [leaving, setLeaving] = useState<App>();
  const disconnect = useMutation({
    mutationFn: ({ id }: App) => platform.removeConnectedApp({ path: { app_id: id } }),
    onSuccess: (_, { name }) => {
      notify(`${name} was disconnected. What it asks is refused within half a minute.`);
      setLeaving(undefined);
      void queryClient.invalidateQueries({ queryKey: APPS });
    },
    onError: notifyFailure,
  });
  return (
    <Card title="Connected apps">
      {apps.error ? (
        <Failed error={apps.error} retry={() => apps.refetch()} />
      ) : !apps.data ? (
        <Skeleton lines={3} />
      ) : apps.data.data.length === 0 ? (
        <Empty title="No connected apps" icon={<Plug size={28} aria-hidden />}>
          <p>
            Paste the address <code>{location.origin}/mcp</code> into a client of MCP, such as Claude or
            Cursor.
          </p>
        </Empty>
      ) : (
        <ul className="stack" aria-label="Connected apps">
          {apps.data.data.map((app) => (
            <li key={app.id} className="stack">
              <div className="row row-spread">
                <strong className="cut">{app.name}</strong>
                <Button
                  size="small"
                  kind="danger"
                  aria-label={`Disconnect ${app.name}`}
                  onPress={() => setLeaving(app)}
                >
                  Disconnect
                </Button>
              </div>
              <Facts
                of={[
                  ["Described by", app.host ?? "itself"],
                  ["Answers go to", app.goes_to],
                  ["Scopes", app.scopes.join(", ")],
                  [
                    "Last used",
                    app.last_used_at === null ? "never" : <Time key="used" at={app.last_used_at} />,
                  ],
                  ["Ends", <Time key="ends" at={app.expires_at} />],
                ]}
              />
            </li>
          ))}
        </ul>
      )}
      <Confirm
        title={`Disconnect ${leaving?.name ?? ""}?`}
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        action="Disconnect the app"
        isDangerous
        isBusy={disconnect.isPending}
        onConfirm={() => leaving && disconnect.mutate(leaving)}
      >
        <p>Its tokens are refused within half a minute. It can ask you again.</p>
      </Confirm>
    </Card>
  );
}
