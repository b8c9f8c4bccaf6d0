import { CircleAlert, Inbox, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { PlatformError } from "../../client/index.ts";
import { Button } from "./button.tsx";

/** Says what would be here, and what to do next. */
export function Empty({
  title,
  children,
  icon,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly icon?: ReactNode;
}) {
  return (
    <div className="state">
      {icon ?? <Inbox size={28} aria-hidden />}
      <div className="state-title">{title}</div>
      {children}
    </div>
  );
}

/** What went wrong in the platform's words, and a retry. */
export function Failed({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const requestId = error instanceof PlatformError ? error.requestId : undefined;
  return (
    <div className="state" role="alert">
      <CircleAlert size={28} aria-hidden />
      <div className="state-title">{titleOf(error)}</div>
      <p>{errorText(error)}</p>
      {requestId !== undefined && <p className="small faint">Request {requestId}</p>}
      {retry && (
        <Button icon={<RotateCw size={14} aria-hidden />} onPress={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

function titleOf(error: unknown): string {
  if (!(error instanceof PlatformError)) {
    return isLost(error) ? "The platform cannot be reached" : "This page has an error";
  }
  if (error.status === 403) return "You may not see this";
  if (error.status === 404) return "Not found";
  return "This did not work";
}

/** What browsers throw where no answer came; the words differ. */
const isLost = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message);

/** The platform's own explanation, without the status before it. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return error instanceof PlatformError ? text.replace(/^\d+: /, "") : text;
}

/** Stands for lines that are being read. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className="stack-tight" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other identity
        <span key={at} className="skeleton" style={{ width: `${90 - ((at * 17) % 50)}%` }} />
      ))}
    </div>
  );
}
