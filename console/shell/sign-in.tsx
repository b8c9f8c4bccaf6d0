import { LogIn } from "lucide-react";
import { type FormEvent, useState } from "react";
import { type EndedSignIn, endedSignIn, signIn, withExpiry } from "../access/credential.ts";
import { beginSignIn } from "../access/oidc.ts";
import type { ConsoleSettings } from "../access/settings.ts";
import { Button } from "../parts/button.tsx";
import { Checkbox, TextField } from "../parts/form/fields.tsx";
import { Notice } from "../parts/notice.tsx";
import { exactText } from "../parts/time.tsx";

/** The ways in that this deployment has. */
export function SignIn({
  settings,
  problem,
}: {
  readonly settings: ConsoleSettings;
  readonly problem?: string;
}) {
  const { sign_in, sign_in_problem, link, os_id, name = os_id, colour } = settings;
  const ended = endedSignIn();
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <div className="shell-brand">
          <img src="/favicon.ico" alt="" />
          <span className="shell-name cut" data-colour={colour}>
            {name}
          </span>
        </div>
        <h1>Sign in</h1>
        {ended && problem === undefined && <Notice tone="warn">{endedText(ended)}</Notice>}
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        {sign_in_problem !== undefined && <Notice tone="warn">{sign_in_problem}</Notice>}
        {sign_in && (
          <>
            <Button kind="main" icon={<LogIn size={15} aria-hidden />} onPress={() => beginSignIn(sign_in)}>
              Continue with {new URL(sign_in.authorization_endpoint).hostname}
            </Button>
            <div className="sign-in-or small">or</div>
          </>
        )}
        {link && (
          <p className="soft">
            The terminal that the platform was started in shows a link that signs you in. Press Enter there
            for a new one.
          </p>
        )}
        <TokenForm />
      </div>
    </main>
  );
}

/** What ended, and what becomes of the page that was open. */
function endedText({ reason, expiresAt }: EndedSignIn): string {
  const back = "Sign in again to come back to this page.";
  if (expiresAt !== undefined && expiresAt * 1000 <= Date.now())
    return `Your sign-in expired at ${exactText(expiresAt)}. ${back}`;
  return reason === "refused"
    ? `The platform does not accept your sign-in any more: it was revoked, or has expired. ${back}`
    : `Your sign-in could not be renewed. ${back}`;
}

function TokenForm() {
  const [token, setToken] = useState("");
  const [keep, setKeep] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = token.trim().replace(/^bearer\s+/i, "");
    if (given === "") return setProblem("Paste a token first.");
    setBusy(true);
    const refusal = await refusalOf(given);
    setBusy(false);
    if (refusal !== undefined) return setProblem(refusal);
    signIn(withExpiry({ token: given }), keep);
  };
  return (
    <form onSubmit={submit}>
      <TextField
        label="Access token or service account token"
        type="password"
        autoComplete="off"
        value={token}
        onChange={(text) => {
          setToken(text);
          setProblem(undefined);
        }}
        error={problem}
      />
      <Checkbox isSelected={keep} onChange={setKeep}>
        Keep it in this tab until it is closed
      </Checkbox>
      <Button type="submit" isDisabled={isBusy}>
        Sign in with the token
      </Button>
    </form>
  );
}

/** Asks the platform whether a token is good, before the page opens with it. */
async function refusalOf(token: string): Promise<string | undefined> {
  try {
    const response = await fetch("/me", { headers: { authorization: `Bearer ${token}` } });
    if (response.ok) return undefined;
    const { detail } = (await response.json()) as { readonly detail?: unknown };
    return typeof detail === "string" ? detail : `The platform answered ${response.status}.`;
  } catch {
    return "The platform cannot be reached.";
  }
}
