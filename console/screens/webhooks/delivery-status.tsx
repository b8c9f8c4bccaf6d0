import { Badge, type Tone } from "../../parts/badge.tsx";
import type { Delivery } from "./webhook-records.ts";

export const statusTexts: Readonly<Record<Delivery["status"], readonly [Tone | undefined, string]>> = {
  pending: ["busy", "Pending"],
  delivered: ["good", "Delivered"],
  failed: ["bad", "Failed"],
  skipped: [undefined, "Skipped"],
};

/** How a message to a receiver stands. */
export function DeliveryStatus({ of }: { readonly of: Delivery["status"] }) {
  const [tone, text] = statusTexts[of];
  return <Badge {...(tone && { tone })}>{text}</Badge>;
}
