import { type Credential, withExpiry } from "./credential.ts";

/** The code of the link that `npm start` printed, if this page was opened by it. It is taken out of the address. */
export function takeLinkCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get("link") ?? undefined;
  if (code !== undefined) history.replaceState(null, "", location.pathname + location.search);
  return code;
}

/**
 * Exchanges a code, which works once, for a token.
 *
 * @throws Error with what to do when the code was used or is unknown
 */
export async function signInByLink(code: string): Promise<Credential> {
  const response = await fetch("/console/sign-in", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (!response.ok)
    throw new Error(
      "This link was already used, or belongs to an earlier start. The terminal shows a new one.",
    );
  const { token } = (await response.json()) as { readonly token: string };
  return withExpiry({ token });
}
