import { createServer } from "node:http";
import * as v from "valibot";
import { serveOnLoopback } from "../../local/machine/listen-on-loopback.ts";
import { defineTool, type Tool } from "../../shared/engine/tool/tool.ts";

/** What becomes of a request: `lost` is charged, and the connection breaks before the answer; `refused` is not charged. */
export type Fate = "answered" | "lost" | "refused" | "hangs";

/** A tool that charges an order at a payment service, wherever that runs. */
export const chargeTool = (address: string, effect: Tool["effect"]): Tool =>
  defineTool({
    name: "charge",
    description: "Charge an order.",
    parameters: v.object({ order: v.string() }),
    effect,
    execute: async ({ order }, { idempotency_key }) => {
      const headers = { ...(effect === "keyed" && { "idempotency-key": idempotency_key }) };
      const answer = await fetch(`${address}/${order}`, { method: "POST", headers });
      return answer.text();
    },
  });

/**
 * A payment service in the test's own process: it knows what was really charged, whatever the platform remembers. A
 * request that names an idempotency key is charged once for that key.
 */
export async function startPaymentService() {
  const receipts = new Map<string, string>();
  const charged = new Map<string, number>();
  const held: (() => void)[] = [];
  let fateOf: (order: string) => Fate = () => "answered";
  const server = createServer((request, response) => {
    const order = new URL(request.url ?? "/", "http://payments").pathname.slice(1);
    const fate = fateOf(order);
    if (fate === "refused") return void response.destroy();
    const key = request.headers["idempotency-key"];
    const known = typeof key === "string" ? receipts.get(key) : undefined;
    const count = (charged.get(order) ?? 0) + (known ? 0 : 1);
    charged.set(order, count);
    const receipt = known ?? `receipt ${count} for ${order}`;
    if (typeof key === "string") receipts.set(key, receipt);
    if (fate === "lost") return void response.destroy();
    if (fate === "hangs") return void held.push(() => response.end(receipt));
    response.end(receipt);
  });
  const { address, stop } = await serveOnLoopback(server);

  return {
    address,
    /** A tool that charges an order here. */
    tool: (effect: Tool["effect"]): Tool => chargeTool(address, effect),
    charges: (order: string): number => charged.get(order) ?? 0,
    /** Decides, when a request arrives, what becomes of it. */
    decide(next: (order: string) => Fate) {
      fateOf = next;
    },
    /** Lets the requests that hang have their answers. */
    releaseContent() {
      for (const answer of held.splice(0)) answer();
    },
    stop,
  };
}
export type PaymentService = Awaited<ReturnType<typeof startPaymentService>>;
