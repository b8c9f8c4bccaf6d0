/** Who is signed in with what. The token is in memory; in the tab's session storage only if its user asked for that. */
export type Credential = {
  readonly token: string;
  /** Gets a new token when this one is about to end; absent where none can be had. */
  readonly renew?: () => Promise<Credential>;
  /** Refresh token of the issuer, by which `renew` does that; in this tab's memory alone. */
  readonly refresh?: string;
  /** Seconds since the epoch; absent where it is not known. */
  readonly expiresAt?: number;
  /** Ends the session at the issuer; absent where there is none. */
  readonly endAt?: string;
  /** Of the sign-in that it came from: renewed tokens and those of other tabs have the same. */
  readonly signInId?: string;
};

const STORED_AS = "agent-platform.token";
const PROVIDER_AS = "agent-platform.provider";
/** A token is renewed this long before it ends. */
const RENEW_SECONDS = 60;

/** Why a sign-in ended that its user did not end. */
export type SignOutReason = "refused" | "not renewed";

/** A sign-in that ended by itself. */
export type EndedSignIn = {
  readonly reason: SignOutReason;
  /** Seconds since the epoch; absent where the token does not say. */
  readonly expiresAt?: number;
};

let current: Credential | undefined;
let ended: EndedSignIn | undefined;
let renewing: Promise<Credential> | undefined;
const listeners = new Set<() => void>();
let saysSignOut: ((left: Credential) => void) | undefined;

export const credential = (): Credential | undefined => current;

/** How the last sign-in ended, where its user did not end it. */
export const endedSignIn = (): EndedSignIn | undefined => ended;

/** Called after every sign-in and sign-out. @returns how to stop it */
export function onCredential(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param keep  whether a reload of this tab finds it again */
export function signIn(given: Credential, keep: boolean): void {
  current = { signInId: crypto.randomUUID(), ...given };
  ended = undefined;
  if (keep) sessionStorage.setItem(STORED_AS, given.token);
  else sessionStorage.removeItem(STORED_AS);
  notifyListeners();
}

/** @param reason  why, where the reader did not ask for it */
export function signOut(reason?: SignOutReason): void {
  if (current === undefined) return;
  const left = current;
  ended = reason && { reason, ...(current.expiresAt !== undefined && { expiresAt: current.expiresAt }) };
  current = undefined;
  sessionStorage.removeItem(STORED_AS);
  if (reason === undefined) {
    localStorage.removeItem(PROVIDER_AS);
    saysSignOut?.(left);
  }
  notifyListeners();
}

/** @param say  called with what the reader was signed in by, when it is the reader who signs out */
export function onSignOut(say: (left: Credential) => void): void {
  saysSignOut = say;
}

/** Whether the last sign-in of this browser was at an identity provider, which may know the reader still. */
export const mayBeKnownAt = (issuer: string): boolean => localStorage.getItem(PROVIDER_AS) === issuer;

/** Remembers where the reader signs in, and nothing of who that is. */
export const rememberProvider = (issuer: string): void => localStorage.setItem(PROVIDER_AS, issuer);

/** Restores what an earlier page of this tab kept. */
export function restoreCredential(): void {
  const token = sessionStorage.getItem(STORED_AS);
  if (token !== null) current = withExpiry({ token });
}

/** The token for a request; renewed where it is about to end. */
export async function currentToken(): Promise<string> {
  if (!current) return "";
  const { expiresAt, renew } = current;
  if (!renew || expiresAt === undefined || expiresAt - Date.now() / 1000 > RENEW_SECONDS)
    return current.token;
  renewing ??= renew().finally(() => {
    renewing = undefined;
  });
  const renewed = await renewing.catch((error: unknown) => {
    // Without an answer the token may still be renewed; a refusal stays one.
    if (!(error instanceof TypeError)) signOut("not renewed");
    throw error;
  });
  current = { ...renewed, ...(current?.signInId !== undefined && { signInId: current.signInId }) };
  if (sessionStorage.getItem(STORED_AS) !== null) sessionStorage.setItem(STORED_AS, renewed.token);
  return renewed.token;
}

/**
 * Gives away what renews this sign-in, which then ends with its token: an issuer may take two users of one refresh token for a theft.
 *
 * @returns undefined where this tab has none
 */
export async function takeRefresh(): Promise<string | undefined> {
  await currentToken();
  if (!current?.refresh) return undefined;
  const { renew: _, refresh, ...kept } = current;
  current = kept;
  return refresh;
}

/** Reads the end of a token that is a JWT. Nothing is trusted for it: the platform decides. */
export function withExpiry(given: Credential): Credential {
  const payload = given.token.split(".")[1];
  if (payload === undefined) return given;
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, "+").replace(/_/g, "/")), (c) =>
      c.charCodeAt(0),
    );
    const { exp } = JSON.parse(new TextDecoder().decode(bytes)) as { readonly exp?: unknown };
    return typeof exp === "number" ? { ...given, expiresAt: exp } : given;
  } catch {
    return given;
  }
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}
