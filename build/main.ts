/** `npm run build`: bundles what is stale, or with `--describe` only describes the registry. */
import { progressLine } from "../local/progress-line.ts";
import { build, ensureDescribed, orExplain } from "./bundles/index.ts";
import { registryArgument } from "./index.ts";
import { table } from "./table.ts";

const registry = registryArgument(process.argv);
if (process.argv.includes("--describe")) await orExplain(() => ensureDescribed({ registry }));
else await buildAndReport();

/** Says how large each function is. */
async function buildAndReport(): Promise<void> {
  const line = progressLine(process.stdout);
  const { seconds, bundled, sizes } = await orExplain(() =>
    build({
      registry,
      minify: !process.argv.includes("--no-minify"),
      all: process.argv.includes("--all"),
      onBundled: (name, done, of) => line.passing(`${done} of ${of} functions bundled: ${name}`),
    }),
  );
  const kb = (bytes: number) => (bytes / 1000).toFixed(0);
  const rows = Object.entries(sizes).map(([name, { atStart, lazy }]) => [name, kb(atStart), kb(lazy)]);
  line.lasting(table(["function", "KB at start", "KB on demand"], rows));
  line.lasting(`${bundled.length} of ${rows.length} functions bundled in ${seconds.toFixed(2)} s`);
}
