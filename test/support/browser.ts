import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { HANGS_AFTER_MS } from "./hangs-after.ts";

/** Debian's browser; the one without a window takes two thirds of the processor time that the other takes. */
const [WITHOUT_WINDOW, WHOLE] = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** `CHROMIUM` names another. */
const executablePath = process.env.CHROMIUM ?? (existsSync(WITHOUT_WINDOW) ? WITHOUT_WINDOW : WHOLE);

/** Whether tests in a browser can run here; where they cannot, a message says why. */
export const hasBrowser = existsSync(executablePath);
if (!hasBrowser) {
  console.warn(
    `no browser at ${executablePath}: its tests are skipped (apt-get install chromium-headless-shell)`,
  );
}

/** It requests nothing but what its pages ask for. */
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A browser that is its caller's own, and ends when it is closed: for a program that is over then. */
export const launchBrowser = (more: readonly string[] = []): Promise<Browser> =>
  chromium.launch({ executablePath, args: [...args, ...more], headless: true });

/** Ends with the process. */
let shared: Promise<Browser> | undefined;

/**
 * Opens a browser without a window. The files of a process share one, and each has its own contexts in it, which are what it
 * closes.
 *
 * @param more  further arguments of the command line; a browser with such is the file's own
 */
export async function startBrowser(
  more: readonly string[] = [],
): Promise<Pick<Browser, "newContext" | "contexts" | "close">> {
  if (more.length > 0) return launchBrowser(more);
  shared ??= launchBrowser();
  const browser = await shared;
  const own = new Set<BrowserContext>();
  return {
    newContext: async (options) => {
      const context = await browser.newContext(options);
      own.add(context);
      context.once("close", () => own.delete(context));
      return context;
    },
    contexts: () => [...own],
    close: async () => {
      await Promise.all([...own].map(closeContext));
    },
  };
}

/** Closes a context with its pages; a request that a test answers itself may still be on its way, and fails without a word. */
async function closeContext(context: BrowserContext): Promise<void> {
  const routed = [context, ...context.pages()];
  await Promise.all(routed.map((place) => place.unrouteAll({ behavior: "ignoreErrors" })));
  await context.close();
}

/** Closes a page that `openPage` opened, with its context. */
export const closePage = (page: Page): Promise<void> => closeContext(page.context());

/** What tests do with a browser. */
export type TestBrowser = Awaited<ReturnType<typeof startBrowser>>;

/** What the open pages of a browser show, for whoever reads why a test has failed. */
export async function shownOn(browser: TestBrowser): Promise<string> {
  const pages = browser.contexts().flatMap((context) => context.pages());
  const texts = pages.map(async (page) => {
    const text = await page.evaluate<string>("document.body.innerText").catch(String);
    return `${page.url()}\n${text.slice(0, SHOWN_CHARACTERS)}`;
  });
  return (await Promise.all(texts)).join("\n\n");
}
const SHOWN_CHARACTERS = 3_000;

export type OpenPage = {
  readonly page: Page;
  /** What went wrong on it: errors in its console, broken policies among them, and exceptions that were not caught. */
  readonly faults: string[];
};

const REPORTS_POLICY = `document.addEventListener("securitypolicyviolation", (event) =>
  console.error("policy: " + event.violatedDirective + " " + event.blockedURI));`;

/** A page of its own, with nothing stored. */
export async function openPage(browser: TestBrowser, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(HANGS_AFTER_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  await page.addInitScript(REPORTS_POLICY);
  return { page, faults };
}
