import { FinalResponse } from "../fetch/answers.ts";
import { guardedFetch } from "../fetch/guarded-fetch.ts";
import type { SourcePorts } from "./access.ts";
import { textOf } from "./call-source.ts";
import { SourceFault } from "./source-fault.ts";

export type TokenRequest = {
  readonly url: string;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Requests an access token for a source.
 *
 * @returns the service's answer, as JSON
 * @throws  SourceFault when the service refuses; otherwise as `guardedFetch`
 */
export async function requestToken(
  { url, form = {}, headers = {} }: TokenRequest,
  what: string,
  { allowedHosts }: SourcePorts,
): Promise<unknown> {
  try {
    const { bytes } = await guardedFetch(url, {
      allowedHosts,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        accept: "application/json",
        ...headers,
      },
      body: new URLSearchParams(form).toString(),
    });
    return JSON.parse(textOf(bytes));
  } catch (error) {
    if (!(error instanceof FinalResponse)) throw error;
    throw new SourceFault("refused", `No access to ${what} is given: ${error.status}.`);
  }
}
