import { open, stat } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { completeLines } from "../../test/support/complete-lines.ts";

export type Written = {
  readonly bytes: number;
  readonly count: number;
  /** Names of the metrics that CloudWatch would extract from these lines, once each. */
  readonly ownMetrics: readonly string[];
};

const SETTLED_MS = 50;

/** @returns a function with what functions have logged since its last call, by label */
export function functionLogReader(file: string): () => Promise<ReadonlyMap<string, Written>> {
  let from = 0;
  return async () => {
    const to = await settledSize(file);
    const handle = await open(file);
    const { buffer } = await handle.read(Buffer.alloc(to - from), 0, to - from, from);
    await handle.close();
    const end = buffer.lastIndexOf("\n") + 1;
    from += end;
    const written = new Map<string, Written>();
    for (const line of completeLines(buffer.toString("utf8", 0, end))) {
      const at = line.indexOf(" ");
      if (at > 0) written.set(line.slice(0, at), added(written.get(line.slice(0, at)), line.slice(at + 1)));
    }
    return written;
  };
}

function added(before: Written | undefined, text: string): Written {
  const names = [...(before?.ownMetrics ?? []), ...metricsOf(text)];
  return {
    bytes: (before?.bytes ?? 0) + Buffer.byteLength(text),
    count: (before?.count ?? 0) + 1,
    ownMetrics: [...new Set(names)],
  };
}

type Embedded = {
  readonly _aws?: {
    readonly CloudWatchMetrics?: readonly {
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string }[];
    }[];
  };
  readonly [dimension: string]: unknown;
};

/** @source CloudWatch user guide, embedded metric format: a metric for each name and each set of dimensions */
function metricsOf(text: string): string[] {
  if (!text.includes('"_aws"')) return [];
  const line: Embedded = JSON.parse(text);
  return (line._aws?.CloudWatchMetrics ?? []).flatMap(({ Dimensions, Metrics }) =>
    Dimensions.flatMap((set) =>
      Metrics.map(({ Name }) => [Name, ...set.map((name) => line[name])].join(" ")),
    ),
  );
}

/** Waits until the file stops growing: lines reach it a moment after functions log them. */
async function settledSize(file: string): Promise<number> {
  for (let size = -1; ; await pause(SETTLED_MS)) {
    const now = (await stat(file)).size;
    if (now === size) return size;
    size = now;
  }
}
