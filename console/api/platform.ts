import { createClient } from "../../client/index.ts";
import { credential, currentToken, signOut } from "../access/credential.ts";
import { reached, unreached } from "./connection.ts";

/** The platform's API, as whoever is signed in. What is read is read again by `queryClient`; what acts is asked of the user. */
export const platform = createClient({
  baseUrl: location.origin,
  token: currentToken,
  fetch: send,
  retries: false,
});

/** Sends a request, and notes whether the platform was reached and whether the sign-in still stands. */
export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(input, init);
  } catch (error) {
    if (!init?.signal?.aborted) unreached();
    throw error;
  }
  reached();
  // A late answer to a request of an earlier sign-in says nothing of this one.
  const asked = new Headers(init?.headers).get("authorization");
  if (response.status === 401 && asked === `Bearer ${credential()?.token}`) signOut("refused");
  return response;
}
