import { CircleStop, ListRestart } from "lucide-react";
import { useState } from "react";
import { countText } from "../../parts/amounts.ts";
import { Button } from "../../parts/button.tsx";
import { type Act, actable, type Target } from "./bulk.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { type Job, type QueueFilters, selectionOf, statusOf } from "./queue-query.ts";

type BulkBarProps = {
  readonly chosen: readonly Job[];
  readonly filters: QueueFilters;
  /** Jobs that match the filters, as far as known. */
  readonly total: number | undefined;
  readonly onClear: () => void;
};

type Asked = { readonly act: Act; readonly target: Target };

/** What can be done with many jobs: with those that are chosen, else with all that match. */
export function BulkBar({ chosen, filters, total, onClear }: BulkBarProps) {
  const [asked, setAsked] = useState<Asked>();
  return (
    <div className="row bulk-bar">
      {chosen.length > 0 ? (
        <>
          <span className="bulk-count">{countText(chosen.length)} selected</span>
          {(["requeue", "cancel"] as const).map((act) => {
            const jobs = actable(act, chosen);
            if (jobs.length === 0) return null;
            return (
              <ActButton
                key={act}
                act={act}
                onPress={() => setAsked({ act, target: { which: "chosen", jobs } })}
              >
                {countText(jobs.length)}
              </ActButton>
            );
          })}
          <Button kind="plain" size="small" onPress={onClear}>
            Select none
          </Button>
        </>
      ) : (
        <AllMatching filters={filters} total={total} onAsk={setAsked} />
      )}
      {asked && <BulkDialog {...asked} onClose={() => setAsked(undefined)} onDone={onClear} />}
    </div>
  );
}

function AllMatching({
  filters,
  total,
  onAsk,
}: {
  readonly filters: QueueFilters;
  readonly total: number | undefined;
  readonly onAsk: (asked: Asked) => void;
}) {
  const status = statusOf(filters.status);
  const text = total === undefined ? " " : total === 1 ? "1 job matches" : `${countText(total)} jobs match`;
  const act = status === undefined ? undefined : actOn[status];
  if (status === undefined || act === undefined || !total) return <span className="small soft">{text}</span>;
  if (filters.session) {
    return (
      <span className="small soft">
        {text}. Select them to requeue or cancel them: all of a session cannot be named.
      </span>
    );
  }
  const target: Target = { which: "matching", status, selection: selectionOf(filters) };
  return (
    <>
      <span className="small soft">{text}</span>
      <ActButton act={act} onPress={() => onAsk({ act, target })}>
        all
      </ActButton>
    </>
  );
}

const actOn: Readonly<Record<Job["status"], Act | undefined>> = {
  queued: "cancel",
  running: "cancel",
  paused: "cancel",
  completed: undefined,
  failed: "requeue",
  cancelled: "requeue",
};

function ActButton({
  act,
  onPress,
  children,
}: {
  readonly act: Act;
  readonly onPress: () => void;
  readonly children: string;
}) {
  const Icon = act === "requeue" ? ListRestart : CircleStop;
  return (
    <Button
      size="small"
      {...(act === "cancel" && { kind: "danger" as const })}
      icon={<Icon size={13} aria-hidden />}
      onPress={onPress}
    >
      {act === "requeue" ? "Requeue" : "Cancel"} {children}
    </Button>
  );
}
