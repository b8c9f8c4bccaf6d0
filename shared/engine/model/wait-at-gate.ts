import type { Clock } from "../../runtime/clock.ts";
import { type AskedCall, type Entered, freeCall, type ModelGate } from "./model-gate.ts";

/** How long a call waits for a service that asks to slow down, where a client waits for the answer. */
export const CLIENTS_PATIENCE_MS = 10_000;

const CHARACTERS_OF_TOKEN = 4;

/** Estimates the tokens of what a model is shown. */
export const roughTokens = (shown: unknown): number =>
  Math.ceil(JSON.stringify(shown).length / CHARACTERS_OF_TOKEN);

/**
 * Waits until a model may be called, by what all workers know of it, as long as that is worth it. A breaker that is open is not
 * waited for.
 *
 * @param patience_ms  how long at most
 */
export async function waitAtGate(
  modelGate: ModelGate,
  asked: AskedCall,
  patience_ms: number,
  clock: Pick<Clock, "now" | "sleep">,
  signal: AbortSignal,
): Promise<Entered> {
  const deadline = clock.now() + patience_ms;
  for (;;) {
    const entered = await modelGate.enter(asked);
    if (entered.admitted || entered.because === "unavailable" || entered.until_ms > deadline) return entered;
    await clock.sleep(Math.max(1, entered.until_ms - clock.now()), signal).catch(() => undefined);
    if (signal.aborted) return freeCall; // the call is not made, and says why
  }
}
