import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { addressOf } from "../../api/address.ts";
import { queueStats } from "../../api/queries.ts";
import { countText } from "../../parts/amounts.ts";
import { statusText } from "../../parts/badge.tsx";
import { Failed } from "../../parts/state.tsx";
import { durationText } from "../../parts/time.tsx";
import { jobStatuses, type QueueFilters } from "./queue-query.ts";

const EVERY_MS = 6_000;

/** How many jobs are in which state, and what the queued ones wait for. A state leads to its jobs. */
export function QueueStats({ filters }: { readonly filters: QueueFilters }) {
  const { data, error, refetch } = useQuery({
    ...queueStats,
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <Failed error={error} retry={() => refetch()} />;
  const waits = data && waitTexts(data.waiting);
  const oldest = data?.oldest_queued_age_seconds;
  return (
    <div className="stack-tight">
      <nav className="counts" aria-label="Jobs by state">
        <CountLink
          to={addressOf("/queue", { ...filters, status: "", job: "" })}
          isHere={filters.status === ""}
        >
          All
        </CountLink>
        {jobStatuses.map((status) => (
          <CountLink
            key={status}
            to={addressOf("/queue", { ...filters, status, job: "" })}
            isHere={filters.status === status}
            isBad={status === "failed" && (data?.counts.failed ?? 0) > 0}
            {...(data && { count: data.counts[status] })}
          >
            {statusText(status)}
          </CountLink>
        ))}
      </nav>
      <p className="small soft queue-waits">
        {!data ? (
          " "
        ) : (
          <>
            {oldest === null || oldest === undefined
              ? "Nothing waits in the queue."
              : `The oldest queued job has waited ${durationText(oldest)}.`}
            {waits && waits.length > 0 && ` Waiting: ${waits.join(", ")}.`}
            {data.users.length > 0 &&
              ` Busiest users: ${data.users
                .slice(0, 3)
                .map(
                  ({ user_id, queued, running }) =>
                    `${user_id ?? "no user"} (${queued} queued, ${running} running)`,
                )
                .join(", ")}.`}
          </>
        )}
      </p>
    </div>
  );
}

const reasons = {
  for_slot: "for a free slot",
  for_share: "for their user's share of the slots",
  for_session: "for an earlier run of their session",
  until_later: "until their time",
} as const;

function waitTexts(waiting: Readonly<Record<keyof typeof reasons, number>>): readonly string[] {
  return (Object.keys(reasons) as (keyof typeof reasons)[])
    .filter((reason) => waiting[reason] > 0)
    .map((reason) => `${countText(waiting[reason])} ${reasons[reason]}`);
}

function CountLink({
  to,
  isHere,
  isBad = false,
  count,
  children,
}: {
  readonly to: string;
  readonly isHere: boolean;
  readonly isBad?: boolean;
  readonly count?: number;
  readonly children: string;
}) {
  return (
    <Link href={to} className="count" replace {...(isHere && { "aria-current": "true" as const })}>
      <span>{children}</span>
      {count !== undefined && (
        <span className={isBad ? "count-number count-bad" : "count-number"}>{countText(count)}</span>
      )}
    </Link>
  );
}
