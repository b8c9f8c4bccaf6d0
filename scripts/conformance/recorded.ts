/**
 * Plays recorded answers of model services to the deployed bundles: `npm run conformance:recorded`. The recordings are those of
 * the AI SDK's own tests, which its packages do not have: they are fetched into a temporary folder from its repository, or from
 * another one: `npm run conformance:recorded -- <git repository> [branch or tag]`. Needs git. Exits with an error when a run
 * has not what its recording says, and the difference is not explained.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { table } from "../../build/table.ts";
import { clientOf } from "../../test/support/client.ts";
import { startHostileModel } from "../../test/support/hostile-model/start-hostile-model.ts";
import { startPlatform } from "../../test/support/platform.ts";
import { fetchFiles } from "./fetch-files.ts";
import { differenceOf } from "./recorded/differences.ts";
import { play } from "./recorded/play.ts";
import { folders, type Recording, readRecordings } from "./recorded/recordings.ts";

const [repository = "https://github.com/vercel/ai.git", ref] = process.argv.slice(2);
try {
  process.exitCode = (await run()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run(): Promise<boolean> {
  const fetched = await fetchFiles({ repository, ref, folders });
  const recordings = readRecordings(fetched.root);
  const model = await startHostileModel();
  const platform = await startPlatform({
    registry: join(import.meta.dirname, "../../test/support/hostile-registry/index.ts"),
    without: ["a2a", "components", "eval-worker", "evals", "memories", "schedules"],
    env: model.environment,
  });
  try {
    const client = clientOf(platform.url, platform.adminToken);
    const judged: { readonly provider: string; readonly verdict: Verdict }[] = [];
    for (const recording of recordings) {
      const found = await play(recording, model, client);
      const { verdict, why } = judge(recording, found);
      judged.push({ provider: recording.provider, verdict });
      if (verdict !== "ok") console.log(`${verdict.padEnd(8)}${recording.name}\n        ${why}`);
    }
    console.log(`\nRecorded answers of ${repository} at ${fetched.commit}\n\n${countsOf(judged)}\n`);
    return judged.length > 0 && judged.every(({ verdict }) => verdict !== "failed");
  } finally {
    await Promise.all([platform.stop(), model.stop()]);
    rmSync(fetched.root, { recursive: true, force: true });
  }
}

type Verdict = "ok" | "differs" | "failed";

/** A run without its known difference fails too: the list of differences is to be true. */
function judge(
  { name }: Recording,
  found: readonly string[],
): { readonly verdict: Verdict; readonly why: string } {
  const reason = differenceOf(name);
  if (found.length === 0)
    return reason === undefined
      ? { verdict: "ok", why: "" }
      : { verdict: "failed", why: `is the same; remove its difference: ${reason}` };
  return reason === undefined
    ? { verdict: "failed", why: found.join("\n        ") }
    : { verdict: "differs", why: reason };
}

function countsOf(judged: readonly { readonly provider: string; readonly verdict: Verdict }[]): string {
  const rows = [...Map.groupBy(judged, ({ provider }) => provider)].map(([provider, own]) => {
    const count = (verdict: Verdict) => String(own.filter((one) => one.verdict === verdict).length);
    return [provider, count("ok"), count("differs"), count("failed")];
  });
  return table(["provider", "ok", "differs", "failed"], rows);
}
