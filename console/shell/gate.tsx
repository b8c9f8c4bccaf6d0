import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { credential, mayBeKnownAt, onCredential, rememberProvider, signIn } from "../access/credential.ts";
import { signInByLink, takeLinkCode } from "../access/link.ts";
import { type ConsoleSettings, readSettings, type SignInSettings } from "../access/settings.ts";
import { signInOfOtherTab } from "../access/tabs.ts";
import { connected, unreached } from "../api/connection.ts";
import { loadPart } from "../api/load-part.ts";
import { queryClient } from "../api/query-client.ts";
import { Failed } from "../parts/state.tsx";
import { Loading } from "./connection.tsx";

// Who is signed in needs neither its form nor the client of identity providers.
const SignIn = lazy(() =>
  loadPart(() => import("./sign-in.tsx").then(({ SignIn }) => ({ default: SignIn }))),
);

/** Shows the screens to whoever is signed in, and the sign-in to everybody else. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const held = useSyncExternalStore(onCredential, credential);
  // What one user has seen is not shown to the next, and what was refused to one is asked again for the other.
  useEffect(() => onCredential(() => queryClient.clear()), []);
  return held ? children : <SignInPage />;
}

type Opening =
  | { readonly state: "opening" }
  | { readonly state: "open"; readonly settings: ConsoleSettings; readonly problem?: string }
  | { readonly state: "failed"; readonly error: unknown };

/** Finds out how this page was opened: by a link of `npm start`, by an identity provider's answer, or plainly. */
function SignInPage() {
  const [opening, setOpening] = useState<Opening>({ state: "opening" });
  const [, navigate] = useLocation();
  useEffect(() => {
    let isGone = false;
    const set = (next: Opening): void => void (isGone || setOpening(next));
    open(navigate).then(set, (error: unknown) => set({ state: "failed", error }));
    return () => {
      isGone = true;
    };
  }, [navigate]);
  if (opening.state === "failed") return <Failed error={opening.error} retry={() => location.reload()} />;
  if (opening.state === "opening") return <Loading lines={0} />;
  return (
    <Suspense fallback={<Loading lines={0} />}>
      <SignIn
        settings={opening.settings}
        {...(opening.problem !== undefined && { problem: opening.problem })}
      />
    </Suspense>
  );
}

/** What is granted there lasts longer with a sign-in of its own: another tab keeps what renews its own. */
const wantsOwnSignIn = (): boolean => location.pathname === "/console/connect";

/** Whoever was signed in when this page was loaded, and is not any more, says how to sign in again. */
let isNew = true;

async function open(navigate: (to: string) => void): Promise<Opening> {
  const code = takeLinkCode();
  const mayBeIn = isNew && code === undefined;
  isNew = false;
  const [settings, other] = await Promise.all([
    untilReached(readSettings),
    mayBeIn ? signInOfOtherTab() : undefined,
  ]);
  try {
    // A laptop's link is kept for the tab: who can read the tab can read the terminal too.
    if (code !== undefined) signIn(await signInByLink(code), true);
    else if (
      settings.sign_in &&
      (await signInByProvider(settings.sign_in, navigate, mayBeIn && (!other || wantsOwnSignIn())))
    )
      return { state: "opening" };
    else if (other && !credential()) signIn(other, false);
    return { state: "open", settings };
  } catch (error) {
    return { state: "open", settings, problem: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Takes the answer of an identity provider, if this page was opened by one; else asks it for whoever signed in there before.
 *
 * @returns whether the page is left for the provider's
 */
async function signInByProvider(
  settings: SignInSettings,
  navigate: (to: string) => void,
  mayAsk: boolean,
): Promise<boolean> {
  const { beginSignIn, finishSignIn, isReturn } = await import("../access/oidc.ts");
  if (isReturn()) {
    const { credential: given, from } = await finishSignIn(settings);
    if (given) {
      rememberProvider(settings.issuer);
      signIn(given, false);
    }
    navigate(from.replace(/^\/console/, "") || "/");
    return false;
  }
  if (!mayAsk || !mayBeKnownAt(settings.issuer)) return false;
  await beginSignIn(settings, true);
  return true;
}

/** Asks again when the platform can be reached, where it could not be. */
async function untilReached<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      unreached();
      await connected();
    }
  }
}
