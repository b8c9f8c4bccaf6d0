import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";

/** The package has no types. */
const { JSDOM } = createRequire(import.meta.url)("jsdom") as {
  readonly JSDOM: new (html: string, options: object) => { readonly window: Dom };
};
type Dom = {
  readonly document: { readonly createElement: (name: string) => object };
  readonly navigator: object;
  readonly location: object;
  readonly close: () => void;
};

const root = join(import.meta.dirname, "../../..");

/** The versions of React that the package is tried with, and where they are. */
const versions = {
  18: { react: "react-18", dom: "react-dom-18" },
  19: { react: "react", dom: "react-dom" },
} as const;
export type ReactVersion = keyof typeof versions;

/**
 * Bundles a page with one version of React and runs it in a document of its own: nothing of the document is in the scope of the
 * process, so that tests which share it see none.
 *
 * @param entry  path of the page's module, from the root
 * @returns what the module exports, with its document
 */
export async function openReactPage<Page>(
  entry: string,
  version: ReactVersion = 19,
): Promise<{ readonly page: Page; readonly dom: Dom }> {
  const { outputFiles } = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "page",
    platform: "browser",
    // In which React warns of what is wrong.
    define: { "process.env.NODE_ENV": '"development"' },
    ...(version !== 19 && { alias: aliasesOf(versions[version]) }),
    logLevel: "error",
  });
  const { window } = new JSDOM('<div id="root"></div>', {
    url: "http://127.0.0.1/",
    pretendToBeVisual: true,
  });
  const names = ["window", "self", "document", "navigator", "location"] as const;
  const run = new Function(...names, `${outputFiles[0]?.text}\nreturn page;`);
  const page: Page = run(window, window, window.document, window.navigator, window.location);
  return { page, dom: window };
}

/** An alias is looked up by its whole path first. */
const aliasesOf = ({ react, dom }: { readonly react: string; readonly dom: string }) => ({
  react: join(root, "node_modules", react),
  "react-dom": join(root, "node_modules", dom),
});
