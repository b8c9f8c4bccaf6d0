import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { addressOf } from "../../api/address.ts";
import { platform } from "../../api/platform.ts";
import { Time } from "../../parts/time.tsx";
import type { Job } from "./queue-query.ts";

/** Why a job waits, as far as its own record shows. */
export function WaitBrief({ job, now }: { readonly job: Job; readonly now: number }) {
  if (job.status === "paused") return "for a person";
  if (job.status !== "queued") return null;
  if (job.available_at !== null && job.available_at * 1000 > now) {
    return (
      <>
        due <Time at={job.available_at} />
      </>
    );
  }
  return "for its turn";
}

/** The same with what is known elsewhere: whether another run of its session goes on. */
export function WaitReason({ job, now }: { readonly job: Job; readonly now: number }) {
  const isDue = job.available_at === null || job.available_at * 1000 <= now;
  const asksSession = job.status === "queued" && isDue;
  const { data } = useQuery({
    queryKey: ["queue", "ahead", job.id, job.updated_at],
    enabled: asksSession,
    queryFn: () =>
      platform.listJobs({
        query: {
          session_id: [job.session_id],
          status: ["running", "queued", "paused"],
          limit: 20,
          sort_order: "asc",
        },
      }),
  });
  if (job.status === "paused") {
    return (
      <>
        For a person: its run has paused.{" "}
        <Link href={addressOf("/approvals", { run: job.id })}>Its approvals</Link>
      </>
    );
  }
  if (job.status !== "queued") return null;
  if (!isDue && job.available_at !== null) {
    return (
      <>
        {job.attempt > 0 ? "For its next attempt: due " : "For its time: due "}
        <Time at={job.available_at} />
      </>
    );
  }
  const ahead = data?.data.find(({ id, created_at }) => id !== job.id && created_at <= job.created_at);
  if (ahead) {
    return (
      <>
        For an earlier run of its session, which is {ahead.status}.{" "}
        <Link href={addressOf("/queue", { job: ahead.id })}>Show it</Link>
      </>
    );
  }
  return "For a free slot, or for its user's share of the slots.";
}
