import { type Credential, credential, currentToken, onSignOut, signOut } from "./credential.ts";

/** What tabs of the console say to each other; no other origin receives it, and nothing of it is stored. */
type Said =
  | { readonly kind: "asked"; readonly id: string }
  | { readonly kind: "held"; readonly to: string; readonly held: Omit<Credential, "renew" | "refresh"> }
  | { readonly kind: "left"; readonly token: string; readonly signInId: string | undefined };

const NAME = "agent-platform.sign-in";
/** A tab that is there answers within this time; where none is, the sign-in waits this long. */
const ANSWER_MS = 400;

/** Lets other tabs of this browser in as the one who is signed in here, until that one signs out in any of them. */
export function shareSignIn(): void {
  const channel = new BroadcastChannel(NAME);
  const say = (said: Said): void => channel.postMessage(said);
  channel.addEventListener("message", ({ data }: MessageEvent<Said>) => {
    if (data.kind === "asked") void answer(data.id, say);
    else if (data.kind === "left" && isSame(data)) signOut();
  });
  onSignOut(({ token, signInId }) => say({ kind: "left", token, signInId }));
}

function isSame({
  token,
  signInId,
}: Pick<Credential, "token"> & { readonly signInId: string | undefined }): boolean {
  const held = credential();
  if (!held) return false;
  return held.token === token || (signInId !== undefined && held.signInId === signInId);
}

async function answer(to: string, say: (said: Said) => void): Promise<void> {
  if (!credential()) return;
  const token = await currentToken().catch(() => undefined);
  const held = credential();
  if (!token || !held) return;
  // What renews it stays here.
  const { renew: _, refresh: _refresh, ...shared } = held;
  say({ kind: "held", to, held: { ...shared, token } });
}

/** The sign-in of another tab; undefined where none is signed in. Renewed by that tab, which has what that takes. */
export function signInOfOtherTab(): Promise<Credential | undefined> {
  const channel = new BroadcastChannel(NAME);
  const id = crypto.randomUUID();
  return new Promise<Credential | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ANSWER_MS);
    channel.addEventListener("message", ({ data }: MessageEvent<Said>) => {
      if (data.kind !== "held" || data.to !== id) return;
      clearTimeout(timer);
      resolve({ ...data.held, renew });
    });
    channel.postMessage({ kind: "asked", id } satisfies Said);
  }).finally(() => channel.close());
}

async function renew(): Promise<Credential> {
  const renewed = await signInOfOtherTab();
  if (!renewed) throw new Error("No other tab is signed in any more.");
  return renewed;
}
