import { Link } from "wouter";
import { countText } from "../../parts/amounts.ts";
import { Card } from "../../parts/page.tsx";
import { Failed, Skeleton } from "../../parts/state.tsx";
import { durationText } from "../../parts/time.tsx";
import { useQueueStats } from "./use-queue-stats.ts";

const reasons = [
  ["for_slot", "for a free slot of the platform"],
  ["for_share", "for their user's share of the slots"],
  ["for_session", "for a run of the same session"],
  ["until_later", "for their time to come"],
] as const;

/** How much waits in the queue, for how long and what for. */
export function QueueState() {
  const { data, error, refetch } = useQueueStats();
  return (
    <Card title="Queue" actions={<Link href="/queue">All jobs</Link>}>
      {error && !data ? (
        <Failed error={error} retry={() => refetch()} />
      ) : !data ? (
        <Skeleton lines={2} />
      ) : (
        <div className="stack-tight">
          <div className="amounts">
            <Amount
              name="Waiting"
              value={countText(data.counts.queued)}
              {...(data.counts.queued > 0 && { to: "/queue?status=queued" })}
            />
            <Amount
              name="Oldest waits for"
              value={
                data.oldest_queued_age_seconds === null ? "–" : durationText(data.oldest_queued_age_seconds)
              }
            />
            <Amount
              name="Running"
              value={countText(data.counts.running)}
              {...(data.counts.running > 0 && { to: "/queue?status=running" })}
            />
            <Amount
              name="Paused"
              value={countText(data.counts.paused)}
              {...(data.counts.paused > 0 && { to: "/queue?status=paused" })}
            />
            <Amount
              name="Failed"
              value={countText(data.counts.failed)}
              {...(data.counts.failed > 0 && { to: "/queue?status=failed" })}
            />
          </div>
          {reasons.map(([name, text]) =>
            data.waiting[name] > 0 ? (
              <div key={name} className="small faint">
                {countText(data.waiting[name])} {data.waiting[name] === 1 ? "waits" : "wait"} {text}
              </div>
            ) : null,
          )}
        </div>
      )}
    </Card>
  );
}

function Amount({
  name,
  value,
  to,
}: {
  readonly name: string;
  readonly value: string;
  readonly to?: string;
}) {
  return (
    <div>
      <div className="amount-name">{name}</div>
      <div className="amount-value">{to === undefined ? value : <Link href={to}>{value}</Link>}</div>
    </div>
  );
}
