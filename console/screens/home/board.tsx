import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { health } from "../../api/queries.ts";
import { countOf, countText, durationText } from "../../parts/amounts.ts";
import { Answer } from "./answer.tsx";
import { Changes } from "./changes.tsx";
import { endedOf, failedShare } from "./ended-runs.ts";
import { useAttention } from "./use-attention.ts";
import { useQueueStats } from "./use-queue-stats.ts";
import { useRecentRuns } from "./use-recent-runs.ts";

/** Answers in one look: is it healthy, what waits for me, what changed. */
export function Board({ mayReadRuns }: { readonly mayReadRuns: boolean }) {
  return (
    <section className="board" aria-label="At a glance">
      <Health mayReadRuns={mayReadRuns} />
      <Waiting />
      <Changes mayReadRuns={mayReadRuns} />
    </section>
  );
}

/** A part of the runs that fails; from there on it is said to be bad. */
const BAD_SHARE = 0.1;
/** Seconds that the oldest job may wait. */
const LONG_WAIT = 60;

function Health({ mayReadRuns }: { readonly mayReadRuns: boolean }) {
  const state = useQuery(health);
  const recent = useRecentRuns("1h", mayReadRuns);
  const stats = useQueueStats();
  const runs = recent.data?.runs ?? [];
  const ended = endedOf(runs);
  const wait = stats.data?.oldest_queued_age_seconds ?? 0;
  const isFailing = ended.runs > 0 && failedShare(ended) >= BAD_SHARE;
  const [answer, tone] = state.isError
    ? (["The platform does not answer as it should", "bad"] as const)
    : isFailing
      ? (["Many runs fail", "bad"] as const)
      : wait > LONG_WAIT
        ? (["Jobs wait long", "warn"] as const)
        : ended.failed > 0
          ? (["Yes, with some failures", "warn"] as const)
          : (["Yes", "good"] as const);
  return (
    <Answer question="Is it healthy?" answer={answer} tone={tone}>
      {!mayReadRuns ? (
        "It answers. Your credential reads no runs."
      ) : ended.runs === 0 ? (
        "No run has ended in the last hour."
      ) : (
        <>
          <Link href="/runs?since=1h&status=ERROR">{countText(ended.failed)} failed</Link> of{" "}
          {countOf(ended.runs, "run")} in the last hour
          {ended.p95 !== undefined && `, 95 % within ${durationText(ended.p95)}`}.
        </>
      )}
    </Answer>
  );
}

/** Of what waits, so many are named here: the worst first. */
const NAMED = 2;

function Waiting() {
  const { concerns, isPending } = useAttention();
  const [first] = concerns;
  const sentences = concerns.slice(0, NAMED).map(({ text }) => `${text}.`);
  if (concerns.length > NAMED) sentences.push(`And ${concerns.length - NAMED} more, below.`);
  return (
    <Answer
      question="What waits for me?"
      answer={
        isPending && !first
          ? "Looking"
          : concerns.length === 0
            ? "Nothing"
            : countOf(concerns.length, "thing")
      }
      {...(concerns.length > 0 && { tone: concerns.some(({ tone }) => tone === "bad") ? "bad" : "warn" })}
    >
      {first ? sentences.join(" ") : "No approval, paused run, failed job or schedule needs attention."}
    </Answer>
  );
}
