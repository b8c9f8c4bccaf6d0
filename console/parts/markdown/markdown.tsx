import { lazy, Suspense } from "react";
import { loadPart } from "../../api/load-part.ts";

const Rendered = lazy(() => loadPart(() => import("./markdown-rendered.tsx")));

/** Text that an agent or a user wrote: rendered, and never trusted. It is plain until the renderer has been loaded. */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <Suspense
      fallback={
        <div className="plain-text" dir="auto">
          {text}
        </div>
      }
    >
      <Rendered text={text} />
    </Suspense>
  );
}
