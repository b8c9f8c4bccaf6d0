import { ChevronRight, CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { Link } from "wouter";
import { Card } from "../../parts/page.tsx";
import { Skeleton } from "../../parts/state.tsx";
import { type Concern, useAttention } from "./use-attention.ts";

/** What needs attention now: a line for each, which leads to where it is done. */
export function Attention() {
  const { concerns, isPending, lookedAt, notRead } = useAttention();
  return (
    <Card title="Needs attention" flush>
      {concerns.length > 0 ? (
        <ul className="concerns">
          {concerns.map((concern) => (
            <li key={concern.id}>
              <Line {...concern} />
            </li>
          ))}
          {isPending && (
            <li className="card-body">
              <Skeleton lines={1} />
            </li>
          )}
        </ul>
      ) : isPending ? (
        <div className="card-body">
          <Skeleton lines={2} />
        </div>
      ) : (
        <div className="concern-none">
          <CircleCheck size={18} aria-hidden />
          <div>
            <div>Nothing waits for you.</div>
            <div className="small faint">
              {lookedAt.length === 0
                ? "Your credential lets you see none of approvals, paused runs, jobs and schedules."
                : `Looked at ${listText(lookedAt)}.`}
            </div>
          </div>
        </div>
      )}
      {notRead.length > 0 && (
        <p className="card-body small faint">
          Could not be read now: {listText(notRead)}. It is tried again.
        </p>
      )}
    </Card>
  );
}

function Line({ tone, text, about, to }: Concern) {
  const Icon = tone === "bad" ? CircleAlert : TriangleAlert;
  return (
    <Link href={to} className={`concern concern-${tone}`}>
      <Icon size={16} aria-hidden />
      <span className="concern-text">
        <span>{text}</span>
        {about !== undefined && <span className="small faint concern-about">{about}</span>}
      </span>
      <ChevronRight size={16} aria-hidden />
    </Link>
  );
}

const lists = new Intl.ListFormat("en", { type: "conjunction" });
const listText = (words: readonly string[]): string => lists.format(words);
