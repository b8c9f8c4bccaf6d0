import type { JsonWebKey } from "node:crypto";
import type { CardKeys } from "../../shared/a2a/card-keys.ts";
import { cachedValue, SECRET_CACHE_MS } from "../../shared/runtime/cached-value.ts";
import type { Clock } from "../../shared/runtime/clock.ts";
import { readSecret } from "../../shared/runtime/secrets/read-secret.ts";

type Json = Readonly<Record<string, unknown>>;

/** Signs cards, where a key is configured. */
export type CardSigner = {
  readonly sign: (card: Json) => Promise<Json>;
  /** What the signatures of a card depend on in addition to it. */
  readonly kids: () => Promise<readonly string[]>;
  readonly published: () => Promise<readonly JsonWebKey[]>;
};

type Env = {
  readonly A2A_CARD_KEY_SECRET?: string | undefined;
  readonly A2A_CARD_KEY?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
};

/** Path of the public keys. */
export const CARD_KEYS_PATH = "/.well-known/jwks.json";

/**
 * The key is read with the first card, and again five minutes later.
 *
 * @returns undefined where no key is configured
 * @throws Error without a configured address: a card names the host that the client has asked for then, and whoever sends another
 *         host would get our signature for it
 */
export function connectCardSigner(
  { A2A_CARD_KEY_SECRET: secret, A2A_CARD_KEY: given, PUBLIC_URL: publicUrl }: Env,
  clock: Pick<Clock, "now">,
  read: (name: string) => Promise<string> = readSecret,
): CardSigner | undefined {
  if (secret === undefined && given === undefined) return undefined;
  if (publicUrl === undefined) throw new Error("signed agent cards need PUBLIC_URL");
  const text = async () => (secret === undefined ? (given ?? "") : read(secret));
  // Its code is loaded with the first card that is signed.
  const readKeys = async (): Promise<CardKeys> => {
    const { parseCardKeys } = await import("../../shared/a2a/card-keys.ts");
    return parseCardKeys(await text());
  };
  const keys = cachedValue(readKeys, SECRET_CACHE_MS, clock);
  const jku = publicUrl + CARD_KEYS_PATH;
  return {
    sign: async (card) => {
      const { signedCard } = await import("../../shared/a2a/sign-card.ts");
      return signedCard(card, (await keys()).signing, jku);
    },
    kids: async () => (await keys()).signing.map(({ kid }) => kid),
    published: async () => (await keys()).published,
  };
}
