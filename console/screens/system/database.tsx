import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { countText } from "../../parts/amounts.ts";
import { Status } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Select } from "../../parts/form/select.tsx";
import { notify, notifyFailure } from "../../parts/messages.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card, Facts } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";

const LIVE_MS = 2_000;

/** One database: its version, how its migration gets on, and a way to begin one. */
export function DatabaseCard({ db_id }: { readonly db_id: string }) {
  const may = useMay();
  const { data, error, refetch } = useQuery({
    queryKey: ["databases", db_id],
    queryFn: () => platform.getDatabase({ path: { db_id } }),
    refetchInterval: ({ state }) => (state.data?.migration?.status === "running" ? LIVE_MS : false),
  });
  const [target, setTarget] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const chosen = target ?? data?.latest_version ?? "";
  const migrate = useMutation({
    mutationFn: () => platform.migrateDatabase({ path: { db_id }, body: { target_version: chosen } }),
    onSuccess: ({ message }) => {
      notify(message);
      setAsking(false);
      void refetch();
    },
    onError: notifyFailure,
  });
  const { migration } = data ?? {};
  const isRunning = migration?.status === "running";
  return (
    <Card title={`Database ${db_id}`}>
      {error && !data ? (
        <Failed error={error} retry={() => refetch()} />
      ) : !data ? (
        <Skeleton lines={3} />
      ) : (
        <div className="stack">
          <Facts
            of={[
              ["Version", data.version],
              ["Newest", data.latest_version],
              ["Migration", migration && <Status key="status" of={migration.status} />],
              ["To version", migration?.target_version],
              ["Records read", migration && countText(migration.records_read)],
              ["Records changed", migration && countText(migration.records_changed)],
              ["Begun", migration && <Time key="begun" at={migration.started_at} />],
              ["Last step", migration && <Time key="updated" at={migration.updated_at} />],
            ]}
          />
          {migration?.error !== undefined && <Notice tone="bad">{migration.error}</Notice>}
          {may("config:write") ? (
            <div className="row database-act">
              <Select
                label="Migrate to"
                choices={data.versions.map((version) => ({ id: version, text: `Version ${version}` }))}
                value={chosen}
                onChange={setTarget}
                isDisabled={isRunning}
              />
              <Button isDisabled={isRunning || chosen === data.version} onPress={() => setAsking(true)}>
                Migrate
              </Button>
            </div>
          ) : (
            <p className="small faint">You need the scope “config:write” to migrate.</p>
          )}
          <Confirm
            title={`Migrate ${db_id} to version ${chosen}?`}
            isOpen={isAsking}
            onClose={() => setAsking(false)}
            action="Migrate the database"
            isBusy={migrate.isPending}
            onConfirm={() => migrate.mutate()}
          >
            <p>
              Every record is read and, where its form changes, written. The service keeps running. Going back
              is another migration, to version {data.version}.
            </p>
          </Confirm>
        </div>
      )}
    </Card>
  );
}
