import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import * as v from "valibot";
import { PAGE_PATH } from "../../shared/routes/console.ts";
import type { ReceivedRequest } from "./gateway-event.ts";
import type { RequestHandler } from "./http-api.ts";

/** Where the page for operators exchanges the code of a link for a token. Only this machine answers here. */
export const SIGN_IN_PATH = `${PAGE_PATH}/sign-in`;

const CODE_BYTES = 32;

const Asked = v.pipe(v.string(), v.parseJson(), v.object({ code: v.string() }));

export type SignInLink = {
  /** Makes a new link; the one before it is no longer of use. @returns its path, with the code in the fragment */
  readonly renew: () => string;
  /** Answers `POST /console/sign-in` with `{ token }`, 403 for a wrong or used code, 400 for what is no request. */
  readonly handle: RequestHandler;
};

export type SignInLinkOptions = {
  /** Makes the credential of whoever opens the link. */
  readonly token: () => string;
  /** Called when the link has been used, and is of no use any more. */
  readonly used: () => void;
};

/**
 * A link that signs its reader in once: whoever reads the console of `npm start` may open the page as an admin. The code is
 * in the fragment, which browsers send nowhere, so it is in no log.
 */
export function signInLink({ token, used }: SignInLinkOptions): SignInLink {
  let digest: Buffer | undefined;
  const take = (code: string): boolean => {
    if (digest === undefined || !timingSafeEqual(digest, digestOf(code))) return false;
    digest = undefined;
    return true;
  };
  return {
    renew: () => {
      const code = randomBytes(CODE_BYTES).toString("base64url");
      digest = digestOf(code);
      return `${PAGE_PATH}#link=${code}`;
    },
    handle: async (request, response) => {
      const answer = (status: number, body: object): void => {
        const headers = { "content-type": "application/json", "cache-control": "no-store" };
        response.writeHead(status, headers).end(JSON.stringify(body));
      };
      if (!isSameOrigin(request))
        return answer(403, { detail: "Only the console's own page signs in", error_code: "FORBIDDEN" });
      const asked = v.safeParse(Asked, request.body.toString());
      if (!asked.success)
        return answer(400, { detail: "The body must be JSON with a code", error_code: "BAD_REQUEST" });
      if (!take(asked.output.code))
        return answer(403, {
          detail: "This link was used, or a newer one was printed; open the last that was printed",
          error_code: "FORBIDDEN",
        });
      answer(200, { token: token() });
      used();
    },
  };
}

const digestOf = (code: string): Buffer => createHash("sha256").update(code).digest();

/** Whether a browser says that the request is of a page of this very address: no other page may use a link. */
function isSameOrigin({ rawHeaders }: ReceivedRequest): boolean {
  const header = (name: string): string | undefined => {
    const at = rawHeaders.findIndex((raw, index) => index % 2 === 0 && raw.toLowerCase() === name);
    return at < 0 ? undefined : rawHeaders[at + 1];
  };
  const origin = header("origin");
  const site = header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return false;
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === header("host");
}
