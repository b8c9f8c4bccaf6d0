import { newServiceAccountToken } from "../../shared/auth/identify/service-account-token.ts";

/** New routes and a new distribution are known everywhere within a minute or two. */
const PATIENCE_MS = 300_000;
const PAUSE_MS = 5_000;

export type Surroundings = {
  readonly fetch: typeof fetch;
  readonly sleep: (ms: number) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
};

/**
 * Waits until the service answers at its address: to a request without a credential that asks every part, and to one whose
 * credential only the authorizer can refuse, with its issuers and its table. An authorizer that does not start makes 500 of
 * every request.
 *
 * @param address  without a slash at its end
 * @throws Error with the last answers, when they are not right after five minutes
 */
export async function checkAddress(address: string, { fetch, sleep, now }: Surroundings): Promise<void> {
  const until = now() + PATIENCE_MS;
  const answerTo = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
    fetch(`${address}${path}`, { headers, signal: AbortSignal.timeout(30_000) }).then(
      // The parts that do not answer are named in it.
      async (answer) => (answer.status === 503 ? `503 ${await answer.text()}` : String(answer.status)),
      (error: Error) => error.name,
    );
  for (;;) {
    const health = await answerTo("/health?deep=1");
    const refused = await answerTo("/config", { authorization: `Bearer ${newServiceAccountToken()}` });
    if (health === "200" && refused === "401") return;
    if (now() >= until)
      throw new Error(
        `${address}/health?deep=1 answers with ${health}, where it should be 200, and to an unknown credential /config with ${refused}, where it should be 401`,
      );
    await sleep(PAUSE_MS);
  }
}
