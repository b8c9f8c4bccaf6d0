import { Reply } from "../../../shared/http/handler.ts";

/** Nothing of these answers may be kept by what is between. @source RFC 6749, section 5.1 */
export const NOT_KEPT = { "cache-control": "no-store", pragma: "no-cache" };

/** A refusal in OAuth's words. @source RFC 6749, section 5.2 */
export const oauthRefusal = (error: string, error_description: string, status = 400): Reply =>
  new Reply(status, { error, error_description }, NOT_KEPT);

/**
 * The fields of a form.
 *
 * @returns undefined where one is there twice, which no request may have, or the text is no form
 * @source RFC 6749, section 3.2
 */
export function formFields(
  text: string,
  contentType: string | undefined,
): Readonly<Record<string, string>> | undefined {
  if (!contentType?.toLowerCase().startsWith("application/x-www-form-urlencoded")) return undefined;
  const entries = [...new URLSearchParams(text)].filter(([, value]) => value !== "");
  const fields = Object.fromEntries(entries);
  return Object.keys(fields).length === entries.length ? fields : undefined;
}
