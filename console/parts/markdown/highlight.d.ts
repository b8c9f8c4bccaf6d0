/** As much of the library that colours code as answers use. */
declare module "highlight.js" {
  export type LanguageFn = (library: unknown) => object;
  export type HLJSApi = {
    readonly getLanguage: (name: string) => object | undefined;
    readonly registerLanguage: (name: string, grammar: LanguageFn) => void;
    readonly highlight: (code: string, options: { readonly language: string }) => { readonly value: string };
  };
}

declare module "highlight.js/lib/core" {
  const library: import("highlight.js").HLJSApi;
  export default library;
}

declare module "highlight.js/lib/languages/*" {
  const grammar: import("highlight.js").LanguageFn;
  export default grammar;
}
