import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useMay } from "../../access/use-me.ts";
import { info, storedComponents } from "../../api/queries.ts";
import { countOf, durationText } from "../../parts/amounts.ts";
import { Time } from "../../parts/time.tsx";
import { Answer } from "./answer.tsx";
import { type Ended, failedShare } from "./ended-runs.ts";
import {
  type BeforeAndSince,
  type Deployment,
  useBeforeAndSince,
  useLastDeployment,
} from "./use-last-deployment.ts";

const DAYS = 7;
const SHOWN = 3;
const EVERY_MS = 60_000;
/** As many runs say something; with fewer the figures are shown and nothing is concluded. */
const ENOUGH = 20;
/** Points by which more of them fail. */
const WORSE = 0.05;

/** What changed since the last deployment, and whether runs end as they did before; this week, where no deployment is on record. */
export function Changes({ mayReadRuns }: { readonly mayReadRuns: boolean }) {
  const may = useMay();
  const deployment = useLastDeployment().data ?? undefined;
  const figures = useBeforeAndSince(deployment?.at, mayReadRuns);
  const components = useQuery({
    ...storedComponents,
    enabled: may("components:read"),
    refetchInterval: EVERY_MS,
  });
  const about = useQuery({ ...info, staleTime: EVERY_MS });
  const from = deployment?.at ?? Date.now() / 1000 - DAYS * 86_400;
  const changed = (components.data ?? [])
    .map((component) => ({ ...component, at: component.updated_at ?? component.created_at }))
    .filter(({ at }) => at >= from)
    .sort((a, b) => b.at - a.at);
  const when = deployment ? "since the deployment" : "this week";
  const isWorse = figures !== undefined && failsMore(figures);
  return (
    <Answer
      question={deployment ? "What changed since the last deployment?" : "What changed?"}
      answer={
        isWorse
          ? "More runs fail than before"
          : changed.length === 0
            ? `Nothing ${when}`
            : `${countOf(changed.length, "component")} ${when}`
      }
      {...(isWorse && { tone: "bad" as const })}
    >
      {deployment && <Deployed {...deployment} />}
      {figures && <Compared {...figures} />}
      {changed.slice(0, SHOWN).map(({ component_id, name, current_version, at }) => (
        <div key={component_id} className="cut">
          <Link href={`/components/${encodeURIComponent(component_id)}?tab=versions`}>
            {name || component_id}
          </Link>
          {current_version !== undefined && `, version ${current_version} is live`} · <Time at={at} />
        </div>
      ))}
      {changed.length > SHOWN && <div>and {countOf(changed.length - SHOWN, "other component")}</div>}
      {about.data && (
        <div>
          The platform is version {about.data.os_version}.{" "}
          {may("audit:read") && <Link href="/audit">Who changed what</Link>}
        </div>
      )}
    </Answer>
  );
}

function Deployed({ at, settings }: Deployment) {
  const more = settings.length - SHOWN;
  return (
    <div>
      Deployed <Time at={at} />
      {settings.length > 0 && `, with other settings: ${settings.slice(0, SHOWN).join(", ")}`}
      {more > 0 && ` and ${more} more`}.
    </div>
  );
}

function Compared({ before, since }: BeforeAndSince) {
  if (since.runs === 0) return <div>No run has ended since then.</div>;
  return (
    <div>
      Failed: <Link href="/runs?status=ERROR">{shareText(since)}</Link>
      {before.runs > 0 ? `, ${shareText(before)} the day before` : ", no run the day before"}
      {since.p95 !== undefined && `; 95 % within ${durationText(since.p95)}`}
      {since.p95 !== undefined && before.p95 !== undefined && `, ${durationText(before.p95)} before`}.
    </div>
  );
}

const shareText = (ended: Ended): string =>
  `${(100 * failedShare(ended)).toFixed(failedShare(ended) < 0.1 ? 1 : 0)} % of ${countOf(ended.runs, "run")}`;

const failsMore = ({ before, since }: BeforeAndSince): boolean =>
  before.runs >= ENOUGH && since.runs >= ENOUGH && failedShare(since) - failedShare(before) >= WORSE;
