import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

const icons = { bad: CircleAlert, warn: TriangleAlert, good: CircleCheck, plain: Info };

export function Notice({
  tone = "plain",
  children,
}: {
  readonly tone?: "good" | "bad" | "warn" | "plain";
  readonly children: ReactNode;
}) {
  const Icon = icons[tone];
  return (
    <div className={`notice notice-${tone}`} role={tone === "bad" ? "alert" : undefined}>
      <Icon size={16} aria-hidden />
      <div>{children}</div>
    </div>
  );
}
