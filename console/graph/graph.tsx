import { lazy, Suspense } from "react";
import { loadPart } from "../api/load-part.ts";
import { Skeleton } from "../parts/state.tsx";
import type { GraphProps } from "./graph-drawn.tsx";

const Drawn = lazy(() => loadPart(() => import("./graph-drawn.tsx")));

/** The graph of a workflow or a team. What lays it out is loaded with the first one. */
export function GraphView(props: GraphProps) {
  return (
    <Suspense fallback={<Skeleton lines={6} />}>
      <Drawn {...props} />
    </Suspense>
  );
}
