import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useMayReadRuns } from "../../access/use-me.ts";
import { platform } from "../../api/platform.ts";
import { countOf, countText } from "../../parts/amounts.ts";
import { Card } from "../../parts/page.tsx";
import { Empty, Failed, Skeleton } from "../../parts/state.tsx";
import { causesOf } from "./causes.ts";
import type { Range } from "./days.ts";

/** Failed runs that are read for it, a hundred a page. */
const MOST_PAGES = 3;
const SHOWN = 8;

/** Why runs failed in a range, the most frequent causes first. */
export function Failures({ range: { from, to }, user }: { readonly range: Range; readonly user: string }) {
  const mayRead = useMayReadRuns();
  const after = Date.parse(`${from}T00:00:00Z`) / 1000;
  const before = Date.parse(`${to}T23:59:59Z`) / 1000;
  const { data, error, refetch } = useQuery({
    queryKey: ["metrics", "failures", from, to, user],
    enabled: mayRead,
    staleTime: 60_000,
    queryFn: async ({ signal }) => {
      const filter = { created_after: after, created_before: before, ...(user !== "" && { user_id: user }) };
      const failed: { error?: string | undefined }[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const query = {
          ...filter,
          status: ["ERROR" as const],
          limit: 100,
          ...(cursor !== null && { cursor }),
        };
        const { data: runs, meta } = await platform.listRuns({ query }, { signal });
        failed.push(...runs);
        cursor = meta.next_cursor;
        if (cursor === null) break;
      }
      return { failed: failed.length, causes: causesOf(failed), isWhole: cursor === null };
    },
  });
  if (!mayRead) return null;
  return (
    <Card title="Why runs failed">
      {error && !data ? (
        <Failed error={error} retry={() => refetch()} />
      ) : !data ? (
        <Skeleton lines={3} />
      ) : data.failed === 0 ? (
        <Empty title="No run failed in these days" />
      ) : (
        <div className="stack-tight">
          {!data.isWhole && (
            <p className="small soft">Of the newest {countOf(data.failed, "failed run")} of the range.</p>
          )}
          <ul className="cause-list">
            {data.causes.slice(0, SHOWN).map(({ text, count, part }) => (
              <li key={text} className="row row-spread">
                <Link
                  className="cut"
                  href={`/runs?status=ERROR&from=${after}&to=${before - 59}&error=${encodeURIComponent(part)}${user === "" ? "" : `&user=${encodeURIComponent(user)}`}`}
                >
                  {text}
                </Link>
                <span className="number">{countText(count)}</span>
              </li>
            ))}
          </ul>
          {data.causes.length > SHOWN && (
            <p className="small soft">{countText(data.causes.length - SHOWN)} more causes</p>
          )}
        </div>
      )}
    </Card>
  );
}
