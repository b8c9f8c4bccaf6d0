import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useMay } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { health, info } from "../../api/queries.ts";
import { countOf, countText, durationText } from "../../parts/amounts.ts";
import { Time } from "../../parts/time.tsx";
import { useAttention } from "./use-attention.ts";
import { useQueueStats } from "./use-queue-stats.ts";
import { useRecentRuns } from "./use-recent-runs.ts";

/** Answers in one look: is it healthy, what waits for me, what changed. */
export function Board({ mayReadRuns }: { readonly mayReadRuns: boolean }) {
  return (
    <section className="board" aria-label="At a glance">
      <Health mayReadRuns={mayReadRuns} />
      <Waiting />
      <Changes />
    </section>
  );
}

type AnswerProps = {
  readonly question: string;
  readonly answer: string;
  readonly tone?: "good" | "warn" | "bad";
  readonly children: React.ReactNode;
};

function Answer({ question, answer, tone, children }: AnswerProps) {
  return (
    <div className="card card-body board-answer">
      <h2 className="tile-title">{question}</h2>
      <p className={tone ? `board-value board-${tone}` : "board-value"}>{answer}</p>
      <div className="small soft">{children}</div>
    </div>
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
  const ended = runs.filter(({ status }) => status === "COMPLETED" || status === "ERROR");
  const failed = ended.filter(({ status }) => status === "ERROR").length;
  const wait = stats.data?.oldest_queued_age_seconds ?? 0;
  const isFailing = ended.length > 0 && failed / ended.length >= BAD_SHARE;
  const [answer, tone] = state.isError
    ? (["The platform does not answer as it should", "bad"] as const)
    : isFailing
      ? (["Many runs fail", "bad"] as const)
      : wait > LONG_WAIT
        ? (["Jobs wait long", "warn"] as const)
        : failed > 0
          ? (["Yes, with some failures", "warn"] as const)
          : (["Yes", "good"] as const);
  const times = ended.flatMap(({ duration }) => duration ?? []).sort((a, b) => a - b);
  const p95 = times[Math.ceil(0.95 * times.length) - 1];
  return (
    <Answer question="Is it healthy?" answer={answer} tone={tone}>
      {!mayReadRuns ? (
        "It answers. Your credential reads no runs."
      ) : ended.length === 0 ? (
        "No run has ended in the last hour."
      ) : (
        <>
          <Link href="/runs?since=1h&status=ERROR">{countText(failed)} failed</Link> of{" "}
          {countOf(ended.length, "run")} in the last hour
          {p95 !== undefined && `, 95 % within ${durationText(p95)}`}.
        </>
      )}
    </Answer>
  );
}

function Waiting() {
  const { concerns, isPending } = useAttention();
  const first = concerns.find(({ tone }) => tone === "bad") ?? concerns[0];
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
      {first ? `${first.text}.` : "No approval, paused run, failed job or schedule needs attention."}
    </Answer>
  );
}

const DAYS = 7;
const SHOWN = 3;
const EVERY_MS = 60_000;

function Changes() {
  const may = useMay();
  const { data } = useQuery({
    queryKey: ["components", "changed"],
    enabled: may("components:read"),
    refetchInterval: EVERY_MS,
    queryFn: async () => (await platform.listComponents({ query: { limit: 100 } })).data,
  });
  const about = useQuery({ ...info, staleTime: EVERY_MS });
  const since = Date.now() / 1000 - DAYS * 86_400;
  const changed = (data ?? [])
    .map((component) => ({ ...component, at: component.updated_at ?? component.created_at }))
    .filter(({ at }) => at > since)
    .sort((a, b) => b.at - a.at);
  return (
    <Answer
      question="What changed?"
      answer={
        changed.length === 0 ? "Nothing this week" : `${countOf(changed.length, "component")} this week`
      }
    >
      {changed.slice(0, SHOWN).map(({ component_id, name, current_version, at }) => (
        <div key={component_id} className="cut">
          <Link href={`/components/${encodeURIComponent(component_id)}?tab=versions`}>
            {name || component_id}
          </Link>
          {current_version !== undefined && `, version ${current_version} is live`} · <Time at={at} />
        </div>
      ))}
      {about.data && (
        <div>
          The platform is version {about.data.os_version}.{" "}
          {may("audit:read") && <Link href="/audit">Who changed what</Link>}
        </div>
      )}
    </Answer>
  );
}
