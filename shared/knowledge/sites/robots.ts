import { withinTime } from "../../runtime/within-time.ts";
import { ContentFault } from "../content-fault.ts";
import { FinalResponse } from "../fetch/answers.ts";
import { guardedFetch, USER_AGENT } from "../fetch/guarded-fetch.ts";

/** Whether a page may be fetched by a program that visits a site. */
export type MayVisit = (url: string) => boolean;

type Parse = (url: string, rules: string) => { isAllowed(url: string, agent: string): boolean | undefined };

/** More of a file of rules is not read: each address is compared with every rule. RFC 9309, section 2.5, would have 500 KiB. */
const MAX_BYTES = 64 * 1024;

/** Reading the rules, and comparing an address with them, takes a few milliseconds; patterns may be made to take minutes. */
const MAX_MS = 500;

/**
 * The rules of a host for programs that visit it. A host without rules allows everything; as long as its rules cannot be
 * read, nothing is allowed, so the error is passed on.
 *
 * @throws ContentFault, here and by what is returned, where the rules take too long
 * @source RFC 9309
 */
export async function robotsOf(site: string, allowedHosts: readonly string[]): Promise<MayVisit> {
  const address = new URL("/robots.txt", site).href;
  const rules = await rulesAt(address, allowedHosts);
  // A CommonJS module, whose types declare a default export that it does not have for Node.
  const { default: parse } = (await import("robots-parser")) as unknown as { default: Parse };
  const limited = <T>(work: () => T): T => {
    try {
      return withinTime(work, MAX_MS);
    } catch (cause) {
      throw new ContentFault(`The rules at ${address} take longer than ${MAX_MS} ms to apply.`, { cause });
    }
  };
  const robots = limited(() => parse(address, rules));
  return (url) => limited(() => robots.isAllowed(url, USER_AGENT)) ?? true;
}

async function rulesAt(address: string, allowedHosts: readonly string[]): Promise<string> {
  try {
    const { bytes } = await guardedFetch(address, { allowedHosts });
    return Buffer.from(bytes.subarray(0, MAX_BYTES)).toString("utf8");
  } catch (error) {
    if (error instanceof FinalResponse) return "";
    throw error;
  }
}
